#include <algorithm>
#include <limits>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/lines_ends.hpp"
#include "fft/device/pass_choice.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"

/// The passes of lengths with large prime factors.
namespace phpc::fft {

/// Adds the passes of a length with large prime factors (chirp.hpp, rader.hpp).
template <class Real>
void DeviceLines<Real>::add_bluestein(Ends ends, index_t n) {
  if (ends.is_plain && add_rader(n, ends.load, ends.store)) {
    return;
  }
  if (add_convolutions(ends, n)) {
    return;
  }
  const index_t fused = convolution_length<Real>(2 * n - 1, tables_.fixed_scratch(), typename FixedConvolutions<Real>::Shapes{});
  if (fused > 0 && ends.is_plain && are_dense_rows(n)) {
    add_fused_bluestein(ends, n, fused);
    return;
  }
  if (ends.is_plain && add_fused_four_step_bluestein(n, ends.load, ends.store)) {
    return;
  }
  const index_t padded = padded_length(2 * n - 1);
  const std::vector<index_t> lengths = chosen_passes<Real>(padded, capacity_, tables_.fixed_scratch(), {});
  const std::vector<Complex<double>> chirp_values = chirp(n);
  const Complex<Real>* const chirp_table = tables_.keep(chirp_values);
  const Complex<Real>* const spectrum = tables_.keep(bluestein_filter_spectrum<Real>(chirp_values, padded));
  allocate_work(padded);

  const Place spectrum_place = lengths.size() == 1 ? Place::first_work : Place::second_work;
  if (spectrum_place == Place::second_work) {
    second_work_ = exec::Buffer<Complex<Real>>(device_, work_lines_ * padded);
  }
  Ends forth{Place::input, spectrum_place, ends.from_side, work_};
  forth.load = ends.load;
  forth.load.count = n;
  forth.load.factors = chirp_table;
  forth.store.factors = spectrum;
  forth.store.swap_last = true;  // what follows is an inverse transform
  add_smooth(forth, padded, lengths);

  Ends back{spectrum_place, Place::output, work_, ends.to_side};
  back.store = ends.store;
  back.store.swap_first = true;
  back.store.factors = chirp_table;
  back.store.count = std::min(n, ends.store.count);
  add_smooth(back, padded, lengths);
}

/// Returns what the kernels of fixed length take for Bluestein's transform of rows, in copies of its memory, by what an H100 took
/// for an element of the convolution.
template <class Real>
double DeviceLines<Real>::cost_of_made_kernels(const Ends& ends, index_t n) const {
  double least = std::numeric_limits<double>::max();
  if (!ends.is_plain || !are_plain_rows()) {
    return least;
  }
  const auto take = [&](index_t padded, double cost) {
    least = padded > 0 ? std::min(least, cost * static_cast<double>(padded) / static_cast<double>(n)) : least;
  };
  constexpr bool is_single = sizeof(Real) == sizeof(float);
  const std::size_t scratch = tables_.fixed_scratch();
  const index_t one = convolution_length<Real>(2 * n - 1, scratch, typename FixedConvolutions<Real>::Shapes{});
  if (are_dense_rows(n)) {
    take(one, is_single ? 1.4 : 1.13);
  }
  const index_t four_step = convolution_length<Real>(2 * n - 1, scratch, typename FixedFourStepConvolutions<Real>::Shapes{});
  if (four_step < 4 * n) {
    take(four_step, four_step <= 65536 ? 2.4 : 3.15);
  }
  return least;
}

/// Adds, on a GPU, the cheaper of passes some of which are convolutions and of one long convolution. Adds nothing and returns
/// false where a kernel of the length takes less, and where neither can be done.
template <class Real>
bool DeviceLines<Real>::add_convolutions(Ends ends, index_t n) {
  ends.is_real = false;  // transforms of complex numbers, with hooks
  const std::size_t scratch = tables_.fixed_scratch();
  constexpr index_t most = std::numeric_limits<std::uint32_t>::max();
  if (scratch == 0 || from_.stride < 0 || to_.stride < 0 || std::max(from_.stride, to_.stride) > most / n) {
    return false;
  }
  const index_t neighbours = loops_.loops.back().count;
  const ColumnPlaces columns = column_places(from_, to_, neighbours);
  const PassLengths passes =
      convolved_pass_lengths<Real>(n, columns.step > 0 ? columns : ColumnPlaces{neighbours, 0}, ends.is_plain, scratch);
  const LongConvolution whole = long_convolution<Real>(n, ends.is_plain, scratch);
  if (std::min(passes.cost, whole.cost) >= cost_of_made_kernels(ends, n)) {
    return false;
  }
  if (passes.cost <= whole.cost && passes.cost < std::numeric_limits<double>::max()) {
    if (passes.lengths.size() > 1) {
      allocate_work(n);
    }
    add_smooth(ends, n, passes.lengths);
    return true;
  }
  if (whole.length == 0) {
    return false;
  }
  add_long_convolution(ends, n, whole);
  return true;
}

/// Adds a convolution of length M = m k: transforms of the m elements that are k apart, times exp(-2 pi i t u / M) for element t
/// of the one that begins at u; then of the m rows of k elements, times the spectrum, and back; and of the former ones again. All
/// forward, those back with the parts of numbers traded.
template <class Real>
void DeviceLines<Real>::add_long_convolution(const Ends& ends, index_t n, const LongConvolution& whole) {
  const index_t m = whole.columns;
  const index_t k = whole.length / m;
  allocate_work(whole.length);
  const std::vector<Complex<double>> chirp_values = chirp(n);
  const Complex<Real>* const chirp_table = tables_.keep(chirp_values);
  Ends forth{ends.from, Place::first_work, ends.from_side, work_};
  forth.load = ends.load;
  forth.load.count = n;
  forth.load.factors = chirp_table;
  add_pass(forth, whole.length, {m, k}, 0);

  add_convolved_rows(m, k, bluestein_filter_spectrum<Real>(chirp_values, whole.length));
  Pass<Real> back;
  tables_.set_transform(back, PassForm::columns, m);
  back.from_position = k;
  back.to_position = k;
  back.from_step = k * work_.stride;
  back.to_step = k * ends.to_side.stride;
  back.store = ends.store;
  back.store.swap_first = true;
  back.store.factors = chirp_table;
  back.store.count = std::min(n, ends.store.count);
  add_loops(back, work_, ends.to_side,
            {{.count = k, .from = work_.stride, .to = ends.to_side.stride, .from_position = 1, .to_position = 1}});
  back.width = column_width(m, back.loops[back.loop_count - 1].count);
  steps_.push_back({Place::first_work, ends.to, Action::transform, back});
  take_general_pass(steps_.back());
}

/// Adds the pass over m rows of k elements of a long convolution with this spectrum.
template <class Real>
void DeviceLines<Real>::add_convolved_rows(index_t m, index_t k, const std::vector<Complex<double>>& spectrum) {
  Pass<Real> rows;
  tables_.set_transform(rows, PassForm::columns, k);
  tables_.set_four_step_twiddles(rows, m * k);
  rows.from_step = work_.stride;
  rows.to_step = work_.stride;
  const index_t apart = k * work_.stride;
  add_loops(rows, work_, work_,
            {{.count = m, .from = apart, .to = apart, .from_position = k, .to_position = k, .twiddle_step = 1}});
  steps_.push_back({Place::first_work, Place::first_work, Action::transform, rows});
  steps_.back().general = tables_.general_convolution(rows, m, spectrum);
}

/// Adds Bluestein's transform of rows in one kernel of length `padded`, on a GPU.
template <class Real>
void DeviceLines<Real>::add_fused_bluestein(const Ends& ends, index_t n, index_t padded) {
  const std::vector<Complex<double>> chirp_values = chirp(n);
  Pass<Real> pass;
  tables_.set_transform(pass, PassForm::convolution, padded);
  tables_.set_filter(pass, bluestein_filter_spectrum<Real>(chirp_values, padded));
  pass.load = ends.load;
  pass.load.count = n;
  pass.load.factors = tables_.keep(chirp_values);
  pass.store = ends.store;
  add_loops(pass, ends.from_side, ends.to_side, {});
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
}

template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
