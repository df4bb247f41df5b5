#include "fft/device/convolution_passes.hpp"

#include <algorithm>
#include <limits>

#include "fft/device/fixed_passes.hpp"
#include "fft/device/pass_choice.hpp"
#include "fft/device/smooth_passes.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"

namespace phpc::fft {

namespace {

/// Adds a convolution of length M = m k: transforms of the m elements that are k apart, times exp(-2 pi i t u / M) for element t
/// of the one that begins at u; then of the m rows of k elements, times the spectrum, and back; and of the former ones again. All
/// forward, those back with the parts of numbers traded.
template <class Real>
void add_long_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n, const LongConvolution& whole) {
  const index_t m = whole.columns;
  const index_t k = whole.length / m;
  lines.allocate_work(whole.length);
  const std::vector<Complex<double>> chirp_values = chirp(n);
  const Complex<Real>* const chirp_table = lines.tables.keep(chirp_values);
  LineEnds<Real> forth{ends.from, Place::first_work, ends.from_side, lines.work};
  forth.load = ends.load;
  forth.load.count = n;
  forth.load.factors = chirp_table;
  add_pass(lines, forth, whole.length, {m, k}, 0);

  add_convolved_rows(lines, m, k, bluestein_filter_spectrum<Real>(chirp_values, whole.length));
  Pass<Real> back;
  lines.tables.set_transform(back, PassForm::columns, m);
  back.from_position = k;
  back.to_position = k;
  back.from_step = k * lines.work.stride;
  back.to_step = k * ends.to_side.stride;
  back.store = ends.store;
  back.store.swap_first = true;
  back.store.factors = chirp_table;
  back.store.count = std::min(n, ends.store.count);
  lines.add_loops(back, lines.work, ends.to_side,
                  {{.count = k, .from = lines.work.stride, .to = ends.to_side.stride, .from_position = 1, .to_position = 1}});
  back.width = lines.column_width(m, back.loops[back.loop_count - 1].count);
  lines.take_general_pass(lines.add(Place::first_work, ends.to, back));
}

/// Adds, on a GPU, the cheaper of passes some of which are convolutions and of one long convolution. Adds nothing and returns
/// false where a kernel of the length takes less, and where neither can be done.
template <class Real>
bool add_convolutions(LinePasses<Real>& lines, LineEnds<Real> ends, index_t n) {
  const bool are_pairs = ends.is_real && lines.takes_real_passes && is_interleaved(lines.from) && is_interleaved(lines.to);
  ends.is_real = false;  // transforms of complex numbers, with hooks
  const std::size_t scratch = lines.tables.fixed_scratch();
  constexpr index_t most = std::numeric_limits<std::uint32_t>::max();
  if (scratch == 0 || lines.from.stride < 0 || lines.to.stride < 0 || std::max(lines.from.stride, lines.to.stride) > most / n) {
    return false;
  }
  const index_t neighbours = lines.neighbours();
  const ColumnPlaces columns = column_places(lines.from, lines.to, neighbours);
  // Pairs of real numbers in several passes are complex numbers but for the hooks at their half spectra.
  const DirectPasses are_direct{ends.is_plain, ends.is_plain || are_pairs, !lines.problem.is_real()};
  const PassLengths passes =
      convolved_pass_lengths<Real>(n, columns.step > 0 ? columns : ColumnPlaces{neighbours, 0}, are_direct, scratch);
  const bool reads_pairs = are_pairs && lines.problem.from == Elements::real;
  const LongConvolution whole =
      long_convolution<Real>(n, ends.is_plain || reads_pairs, scratch, fixed_convolved_rows(lines), 0, passes.cost);
  if (std::min(passes.cost, whole.cost) >= cost_of_made_kernels(lines, ends, n)) {
    return false;
  }
  if (passes.cost <= whole.cost && passes.cost < std::numeric_limits<double>::max()) {
    if (passes.lengths.size() > 1) {
      lines.allocate_work(n);
    }
    add_smooth(lines, ends, n, passes.lengths);
    return true;
  }
  if (whole.length == 0) {
    return false;
  }
  add_long_convolution(lines, ends, n, whole);
  return true;
}

}  // namespace

template <class Real>
void add_convolved_rows(LinePasses<Real>& lines, index_t m, index_t k, const std::vector<Complex<double>>& spectrum) {
  const std::vector<Complex<double>> by_rows = spectrum_by_rows(spectrum, m);
  const bool are_fixed = has_fixed_convolved_rows(lines, k);
  Pass<Real> rows;
  lines.tables.set_transform(rows, are_fixed ? PassForm::convolved_rows : PassForm::columns, k);
  lines.tables.set_four_step_twiddles(rows, m * k);
  rows.from_step = lines.work.stride;
  rows.to_step = lines.work.stride;
  const index_t apart = k * lines.work.stride;
  lines.add_loops(rows, lines.work, lines.work,
                  {{.count = m, .from = apart, .to = apart, .from_position = k, .to_position = k, .twiddle_step = 1}});
  if (are_fixed) {
    rows.filter_spectrum = lines.tables.keep(by_rows);
    lines.add(Place::first_work, Place::first_work, rows);
    return;
  }
  lines.add(Place::first_work, Place::first_work, rows).general = lines.tables.general_convolution(rows, by_rows);
}

template <class Real>
void add_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  if (add_convolutions(lines, ends, n)) {
    return;
  }
  if (ends.is_plain && (add_fused_bluestein(lines, ends, n) || add_fused_four_step_bluestein(lines, ends, n))) {
    return;
  }
  const index_t padded = padded_length(2 * n - 1);
  const std::vector<index_t> lengths = chosen_passes<Real>(padded, lines.capacity, lines.tables.fixed_scratch(), {});
  const std::vector<Complex<double>> chirp_values = chirp(n);
  const Complex<Real>* const chirp_table = lines.tables.keep(chirp_values);
  const Complex<Real>* const spectrum = lines.tables.keep(bluestein_filter_spectrum<Real>(chirp_values, padded));
  lines.allocate_work(padded);

  const Place spectrum_place = lengths.size() == 1 ? Place::first_work : Place::second_work;
  if (spectrum_place == Place::second_work) {
    lines.second_work = exec::Buffer<Complex<Real>>(lines.device, lines.work_lines * padded);
  }
  LineEnds<Real> forth{Place::input, spectrum_place, ends.from_side, lines.work};
  forth.load = ends.load;
  forth.load.count = n;
  forth.load.factors = chirp_table;
  forth.store.factors = spectrum;
  forth.store.swap_last = true;  // what follows is an inverse transform
  add_smooth(lines, forth, padded, lengths);

  LineEnds<Real> back{spectrum_place, Place::output, lines.work, ends.to_side};
  back.store = ends.store;
  back.store.swap_first = true;
  back.store.factors = chirp_table;
  back.store.count = std::min(n, ends.store.count);
  add_smooth(lines, back, padded, lengths);
}

template void add_convolved_rows(LinePasses<float>&, index_t, index_t, const std::vector<Complex<double>>&);
template void add_convolution(LinePasses<float>&, const LineEnds<float>&, index_t);
template void add_convolved_rows(LinePasses<double>&, index_t, index_t, const std::vector<Complex<double>>&);
template void add_convolution(LinePasses<double>&, const LineEnds<double>&, index_t);

}  // namespace phpc::fft
