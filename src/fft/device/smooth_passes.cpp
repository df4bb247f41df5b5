#include "fft/device/smooth_passes.hpp"

#include <algorithm>
#include <limits>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/pass_choice.hpp"
#include "fft/device/r2c_postprocess.hpp"

namespace phpc::fft {

namespace {

/// Elements of a tile of which several stay in the scratch of a multiprocessor.
template <class Real>
index_t teams_capacity(std::size_t scratch, int teams) {
  return static_cast<index_t>(scratch / (static_cast<std::size_t>(teams) * sizeof(Complex<Real>)));
}

/// Whether rows of complex numbers go by the general kernel: those without a kernel of their length.
template <class Real>
bool takes_general_rows(const LinePasses<Real>& lines, bool is_plain, index_t n) {
  return is_plain && lines.loops.loops.size() == 1 && lines.from.stride == 1 && lines.to.stride == 1 &&
         lines.tables.fixed_scratch() > 0 && (n == 1 || !column_radices<Real>(n).empty()) &&
         fixed_radices<Real>(PassForm::rows, n, lines.tables.fixed_scratch()).empty() &&
         static_cast<std::size_t>(n) * sizeof(Complex<Real>) <= lines.tables.fixed_scratch();
}

/// Lets the general kernel do rows from or to real numbers.
template <class Real>
void take_general_reals(LinePasses<Real>& lines, LineStep<Real>& step, bool is_from_real, bool is_even) {
  if (!is_smooth(step.pass.length)) {
    lines.needs_whole_from = lines.needs_whole_from || is_even || !is_from_real;
    lines.needs_whole_to = lines.needs_whole_to || is_even || is_from_real;
  }
  const RealEnd reals = is_even ? RealEnd::direct : RealEnd::reals;
  const RealEnd half = is_even ? RealEnd::half : RealEnd::odd_half;
  step.general =
      lines.tables.general_reals(step.pass.length, lines.most_general_width(), {lines.from.distances[0], lines.to.distances[0]},
                                 is_from_real ? reals : half, is_from_real ? half : reals);
}

}  // namespace

template <class Real>
bool does_one_pass(const LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  if (ends.is_real && !fixed_radices<Real>(real_rows_form(lines.problem), n, lines.tables.fixed_scratch()).empty()) {
    return true;
  }
  return (ends.takes_general_reals || takes_general_rows(lines, ends.is_plain, n)) &&
         n <= std::min(lines.capacity, teams_capacity<Real>(lines.tables.fixed_scratch(), ends.takes_general_reals ? 1 : 2));
}

template <class Real>
std::vector<index_t> smooth_pass_lengths(const LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n) {
  const bool is_complex = !lines.problem.is_real();
  const ColumnPlaces columns = is_complex ? column_places(lines.from, lines.to, lines.neighbours()) : ColumnPlaces{};
  return chosen_passes<Real>(n, lines.capacity, is_complex || ends.is_real ? lines.tables.fixed_scratch() : 0, columns,
                             !is_complex || ends.is_plain);
}

template <class Real>
bool takes_general_reals(const LinePasses<Real>& lines, index_t n) {
  const bool is_even = lines.problem.length % 2 == 0;
  const bool is_beside_complex =
      lines.problem.is_real() && (lines.problem.from == Elements::complex || lines.problem.to == Elements::complex);
  const bool are_rows = lines.loops.loops.size() == 1 && lines.from.stride == 1 && lines.to.stride == 1;
  const bool are_pairs = lines.from.pitch == 2 && lines.to.pitch == 2;
  constexpr index_t most = std::numeric_limits<std::uint32_t>::max();
  // With large primes no other kernel could take numbers that are not aligned as a whole.
  const bool is_taken = is_smooth(n) || lines.takes_real_passes;
  const bool has_radices =
      n > 1 && is_taken &&
      (is_even ? !column_radices<Real>(n).empty() : odd_real_shape<Real>(n, 1, OddReals::from).team_size > 0);
  return is_beside_complex && are_rows && (are_pairs || !is_even) && lines.tables.fixed_scratch() > 0 && has_radices &&
         (!is_even || fixed_radices<Real>(real_rows_form(lines.problem), n, lines.tables.fixed_scratch()).empty()) &&
         static_cast<std::size_t>(n) * sizeof(Complex<Real>) <= lines.tables.fixed_scratch() &&
         std::max(lines.from.distances[0], lines.to.distances[0]) <= most &&
         std::min(lines.from.distances[0], lines.to.distances[0]) >= 0;
}

template <class Real>
void add_smooth(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n, const std::vector<index_t>& lengths) {
  if (lengths.size() > 1) {
    for (std::size_t index = 0; index < lengths.size(); ++index) {
      add_pass(lines, ends, n, lengths, index);
    }
    return;
  }
  Pass<Real> pass;
  const bool are_rows = ends.from_side.stride == 1 && ends.to_side.stride == 1;
  // Kernels of rows know interleaved complex numbers, or whole lines of real ones.
  const PassForm rows = ends.is_real ? real_rows_form(lines.problem) : ends.is_plain ? PassForm::rows : PassForm::columns;
  lines.tables.set_transform(pass, are_rows ? rows : PassForm::columns, n);
  pass.from_step = ends.from_side.stride;
  pass.to_step = ends.to_side.stride;
  pass.load = ends.load;
  pass.store = ends.store;
  pass.store.r2c_roots = ends.r2c_roots;
  pass.width = are_rows ? lines.row_width(n) : lines.column_width(n, lines.neighbours());
  lines.add_loops(pass, ends.from_side, ends.to_side, {});
  LineStep<Real>& step = lines.add(ends.from, ends.to, pass);
  if (ends.takes_general_reals) {
    take_general_reals(lines, step, pass.load.half == HalfSpectrum::none, ends.is_real);
  } else if (takes_general_rows(lines, ends.is_plain, n)) {
    step.general = lines.tables.general_rows(step.pass.length, lines.most_general_width(),
                                             {ends.from_side.distances[0], ends.to_side.distances[0]});
  } else {
    lines.take_general_pass(step);
  }
}

template <class Real>
void add_pass(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n, const std::vector<index_t>& lengths,
              std::size_t index) {
  const bool is_first = index == 0;
  const bool is_last = index + 1 == lengths.size();
  index_t done = 1;  // product of the lengths of earlier passes
  for (std::size_t earlier = 0; earlier < index; ++earlier) {
    done *= lengths[earlier];
  }
  const index_t length = lengths[index];
  const index_t rest = n / done / length;  // product of the lengths of later passes
  const Place between = ends.from == Place::input ? Place::first_work : ends.from;
  const LineSide& from = is_first ? ends.from_side : lines.work;
  const LineSide& to = is_last ? ends.to_side : lines.work;

  Pass<Real> pass;
  lines.tables.set_transform(pass, PassForm::columns, length);
  // Loops within a line, by positions: the distances follow.
  PassLoop middle;
  PassLoop inner;
  if (is_last) {
    const index_t first = lengths.front();
    middle = {.count = done / first, .from_position = length, .to_position = first};
    inner = {.count = first, .from_position = n / first, .to_position = 1};
    pass.from_position = 1;
    pass.to_position = done;
    pass.store = ends.store;
  } else {
    middle = {.count = done, .from_position = rest * length, .to_position = rest * length};
    inner = {.count = rest, .from_position = 1, .to_position = 1, .twiddle_step = 1};
    pass.from_position = rest;
    pass.to_position = rest;
    lines.tables.set_four_step_twiddles(pass, rest * length);
  }
  for (PassLoop* const loop : {&middle, &inner}) {
    loop->from = loop->from_position * from.stride;
    loop->to = loop->to_position * to.stride;
  }
  pass.from_step = pass.from_position * from.stride;
  pass.to_step = pass.to_position * to.stride;
  if (is_first) {
    pass.load = ends.load;
  }
  if (middle.count == 1) {
    lines.add_loops(pass, from, to, {inner});
  } else {
    lines.add_loops(pass, from, to, {middle, inner});
  }
  pass.width = lines.column_width(length, pass.loops[pass.loop_count - 1].count);
  lines.take_general_pass(lines.add(is_first ? ends.from : between, is_last ? ends.to : between, pass));
}

template <class Real>
void add_r2c_postprocess(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t m) {
  Pass<Real> pass;
  pass.to_step = ends.to_side.stride;
  pass.store.r2c_roots = ends.r2c_roots;
  pass.store.count = m;
  const index_t last = lines.neighbours();
  const index_t pairs = m / 2 + 1;
  const index_t block = r2c_postprocess_block;
  if (pairs <= block) {
    lines.add_loops(pass, ends.to_side, ends.to_side, {});
    pass.width = static_cast<int>(std::min(last, block / pairs));
  } else {
    const PassLoop blocks{.count = ceil_div(pairs, block), .to_position = block};
    lines.add_loops(pass, ends.to_side, ends.to_side, {blocks});
    pass.width = lines.keeps_columns ? static_cast<int>(std::min<index_t>(last, columns_of_line)) : 1;
  }
  lines.add(Place::output, Place::output, pass).is_r2c_postprocess = true;
}

template bool does_one_pass(const LinePasses<float>&, const LineEnds<float>&, index_t);
template std::vector<index_t> smooth_pass_lengths(const LinePasses<float>&, const LineEnds<float>&, index_t);
template bool takes_general_reals(const LinePasses<float>&, index_t);
template void add_smooth(LinePasses<float>&, const LineEnds<float>&, index_t, const std::vector<index_t>&);
template void add_pass(LinePasses<float>&, const LineEnds<float>&, index_t, const std::vector<index_t>&, std::size_t);
template void add_r2c_postprocess(LinePasses<float>&, const LineEnds<float>&, index_t);
template bool does_one_pass(const LinePasses<double>&, const LineEnds<double>&, index_t);
template std::vector<index_t> smooth_pass_lengths(const LinePasses<double>&, const LineEnds<double>&, index_t);
template bool takes_general_reals(const LinePasses<double>&, index_t);
template void add_smooth(LinePasses<double>&, const LineEnds<double>&, index_t, const std::vector<index_t>&);
template void add_pass(LinePasses<double>&, const LineEnds<double>&, index_t, const std::vector<index_t>&, std::size_t);
template void add_r2c_postprocess(LinePasses<double>&, const LineEnds<double>&, index_t);

}  // namespace phpc::fft
