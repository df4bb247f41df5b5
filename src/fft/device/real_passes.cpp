#include "fft/device/real_passes.hpp"

#include <algorithm>
#include <vector>

#include "fft/device/convolution_passes.hpp"
#include "fft/device/fixed_passes.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/factors.hpp"

namespace phpc::fft {

namespace {

/// Positions in a line are counted in 32 bits with a sign.
constexpr index_t longest_line = index_t{1} << 30;

/// What hooks add to passes of the rule for convolutions.
constexpr double cost_of_hooks = 1.4;

/// Notes that passes take the half spectra as whole complex numbers.
template <class Real>
void needs_whole_spectra(LinePasses<Real>& lines) {
  (lines.problem.from == Elements::real ? lines.needs_whole_to : lines.needs_whole_from) = true;
}

/// Moves the distances of the loops over lines of a side of real numbers from places to positions, which count real numbers.
template <class Real>
void count_reals(Pass<Real>& pass, int line_loops, bool is_from, index_t pitch) {
  for (int index = 0; index < line_loops; ++index) {
    PassLoop& loop = pass.loops[index];
    index_t& places = is_from ? loop.from : loop.to;
    (is_from ? loop.from_position : loop.to_position) = places * pitch;
    places = 0;
  }
}

/// Whether a problem is of contiguous real numbers on one side and of interleaved half spectra on the other, on a GPU.
template <class Real>
bool are_usual_reals(const LinePasses<Real>& lines) {
  const bool is_from = lines.problem.from == Elements::real;
  return lines.takes_real_passes && lines.problem.is_real() && lines.tables.fixed_scratch() > 0 &&
         lines.problem.direction == (is_from ? Direction::forward : Direction::inverse) && lines.problem.from_stride == 1 &&
         lines.problem.to_stride == 1 && !lines.keeps_columns && is_interleaved(is_from ? lines.to : lines.from) &&
         lines.problem.length < longest_line;
}

/// Adds the passes from real numbers: x[j1 M + j2], of L columns' elements j1 and M columns j2, goes by columns to rows k1 <= L/2
/// of M complex numbers, and by these rows, in one pass or in two, to X[k1 + L k2]. What the rows behind L/2 would give are
/// conjugates.
template <class Real>
void add_passes_from_reals(LinePasses<Real>& lines, const LineEnds<Real>& ends, const std::vector<index_t>& lengths) {
  const index_t n = lines.problem.length;
  const index_t rows = lengths.front() / 2 + 1;
  const index_t columns = n / lengths.front();
  const index_t last = lengths.back();
  lines.allocate_work(rows * columns);
  Pass<Real> first;
  first.length = static_cast<int>(lengths.front());
  first.from_position = columns;
  first.to_step = columns;
  lines.tables.set_four_step_twiddles(first, n);
  lines.add_loops(first, lines.from, lines.work,
                  {{.count = ceil_div(columns, index_t{2}), .to = 2, .from_position = 2, .twiddle_step = 2}});
  count_reals(first, first.loop_count - 1, true, lines.from.pitch);
  lines.add(Place::input, Place::first_work, first).general = lines.tables.general_real_columns(first, columns, columns, true);
  if (lengths.size() == 3) {
    Pass<Real> middle;
    lines.tables.set_transform(middle, PassForm::columns, lengths[1]);
    middle.from_step = last;
    middle.to_step = last;
    lines.tables.set_four_step_twiddles(middle, columns);
    lines.add_loops(middle, lines.work, lines.work,
                    {{.count = rows, .from = columns, .to = columns}, {.count = last, .from = 1, .to = 1, .twiddle_step = 1}});
    middle.width = lines.column_width(lengths[1], last);
    lines.take_general_pass(lines.add(Place::first_work, Place::first_work, middle));
  }
  Pass<Real> through_rows;
  through_rows.length = static_cast<int>(last);
  through_rows.to_step = n / last;
  through_rows.store = ends.store;
  // Steps of twiddles count rows here: the tiles have to know the number of each.
  const PassLoop by_rows{.count = rows, .from = columns, .to = 1, .to_position = 1, .twiddle_step = 1};
  if (lengths.size() == 3) {
    const index_t apart = lengths.front();
    lines.add_loops(through_rows, lines.work, lines.to,
                    {{.count = lengths[1], .from = last, .to = apart, .to_position = apart}, by_rows});
  } else {
    lines.add_loops(through_rows, lines.work, lines.to, {by_rows});
  }
  lines.add(Place::first_work, Place::output, through_rows).general =
      lines.tables.general_conjugate_pairs(through_rows, n, lengths.front(), false);
}

/// Adds the passes to real numbers, the other way round: X[e R + L k + k1], of R = n / P, gives by columns of P elements e in one
/// pass or in two the rows of half the spectra, k1 <= L/2, of columns x[j1 M + j2], and these give the columns.
template <class Real>
void add_passes_to_reals(LinePasses<Real>& lines, const LineEnds<Real>& ends, const std::vector<index_t>& lengths) {
  const index_t n = lines.problem.length;
  const index_t line = lengths.front();
  const index_t half = line / 2 + 1;
  const index_t columns = n / line;
  const index_t length = lengths.back();
  const index_t second = columns / length;  // 1: of two passes
  lines.allocate_work(half * columns);
  Pass<Real> first;
  first.length = static_cast<int>(length);
  first.from_step = n / length;
  first.to_step = second * half;
  first.load.swap = ends.load.swap;
  lines.tables.set_four_step_twiddles(first, n);
  const PassLoop by_halves{.count = half, .from = 1, .to = 1, .from_position = 1, .twiddle_step = 1};
  if (second > 1) {
    lines.add_loops(first, lines.from, lines.work,
                    {{.count = second, .from = line, .to = half, .from_position = line, .twiddle_step = line}, by_halves});
  } else {
    lines.add_loops(first, lines.from, lines.work, {by_halves});
  }
  lines.add(Place::input, Place::first_work, first).general = lines.tables.general_conjugate_pairs(first, n, line, true);
  if (second > 1) {
    Pass<Real> middle;
    lines.tables.set_transform(middle, PassForm::columns, second);
    middle.fixed_twiddles = nullptr;  // kernels of a length would take the count of the last loop for L
    middle.from_step = half;
    middle.to_step = half;
    lines.tables.set_four_step_twiddles(middle, second * line);
    lines.add_loops(
        middle, lines.work, lines.work,
        {{.count = length, .from = second * half, .to = second * half}, {.count = half, .from = 1, .to = 1, .twiddle_step = 1}});
    middle.width = lines.column_width(second, half);
    lines.take_general_pass(lines.add(Place::first_work, Place::first_work, middle));
  }
  Pass<Real> last;
  last.length = static_cast<int>(line);
  last.to_position = columns;
  last.store = ends.store;
  const PassLoop by_columns{.count = ceil_div(length, index_t{2}), .from = 2 * second * half, .to_position = 2};
  if (second > 1) {
    lines.add_loops(last, lines.work, lines.to, {{.count = second, .from = half, .to_position = length}, by_columns});
  } else {
    lines.add_loops(last, lines.work, lines.to, {by_columns});
  }
  count_reals(last, last.loop_count - (second > 1 ? 2 : 1), false, lines.to.pitch);
  lines.add(Place::first_work, Place::output, last).general = lines.tables.general_real_columns(last, length, columns, false);
}

/// The hooks of the first pass of a convolution and of its last one. Factors are chirps; those of half a spectrum that goes to
/// real numbers count each element twice but for element 0, which is its own conjugate.
template <class Real>
void set_chirps(LinePasses<Real>& lines, Pass<Real>& first, Pass<Real>& last, const LineEnds<Real>& ends,
                const ChirpExtents& part) {
  const bool is_from = part.elements > part.results;
  const std::vector<Complex<double>> chirp_values = chirp(std::max(part.elements, part.results));
  std::vector<Complex<double>> load(chirp_values.begin(), chirp_values.begin() + part.elements);
  for (std::size_t k = 1; k < load.size() && !is_from; ++k) {
    const bool is_own = 2 * k == chirp_values.size();  // its own conjugate
    load[k] = is_own ? load[k] : scaled(load[k], 2.0);
  }
  first.load.swap = ends.load.swap;
  first.load.count = part.elements;
  first.load.factors = lines.tables.keep(load);
  last.store = ends.store;
  last.store.count = part.results;
  last.store.factors = lines.tables.keep(chirp_values);
}

/// The same as add_long_convolution, for odd lines of real numbers.
template <class Real>
void add_long_real_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends, const LongConvolution& whole) {
  const bool is_from = lines.problem.from == Elements::real;
  const index_t n = lines.problem.length;
  const ChirpExtents part{is_from ? n : n / 2 + 1, is_from ? n / 2 + 1 : n};
  const index_t m = whole.columns;
  const index_t k = whole.length / m;
  lines.allocate_work(whole.length);
  Pass<Real> first;
  Pass<Real> last;
  first.length = static_cast<int>(m);
  last.length = static_cast<int>(m);
  for (Pass<Real>* const pass : {&first, &last}) {
    pass->from_step = k;
    pass->to_step = k;
    pass->from_position = k;
    pass->to_position = k;
  }
  const PassLoop neighbours{.count = k, .from = 1, .to = 1, .from_position = 1, .to_position = 1};
  PassLoop with_twiddles = neighbours;
  with_twiddles.twiddle_step = 1;
  lines.add_loops(first, lines.from, lines.work, {with_twiddles});
  lines.add_loops(last, lines.work, lines.to, {neighbours});
  set_chirps(lines, first, last, ends, part);
  last.store.swap_first = true;
  lines.tables.set_four_step_twiddles(first, whole.length);
  lines.add(Place::input, Place::first_work, first).general =
      lines.tables.general_real_factors(first, is_from ? RealEnd::reals : RealEnd::odd_half, RealEnd::whole);
  add_convolved_rows(lines, m, k, bluestein_filter_spectrum<Real>(chirp(n), whole.length, part));
  lines.add(Place::first_work, Place::output, last).general =
      lines.tables.general_real_factors(last, RealEnd::whole, is_from ? RealEnd::whole : RealEnd::reals);
}

/// Returns the cost of the passes that lines with large primes take where they do not take real_pass_lengths, in copies of as
/// many complex numbers as the line has real ones.
template <class Real>
double cost_of_others(const LinePasses<Real>& lines) {
  const index_t n = lines.problem.length;
  const std::size_t scratch = lines.tables.fixed_scratch();
  const index_t neighbours = lines.neighbours();
  if (n % 2 != 0) {
    const index_t least = n + n / 2;
    const double by_passes = std::min(convolution_shape<Real>(n, {neighbours, 0}, true, scratch, least).columns.cost,
                                      cost_of_hooks * convolved_pass_lengths<Real>(n, {neighbours, 0}, {}, scratch).cost);
    return long_convolution<Real>(n, true, scratch, fixed_convolved_rows(lines), least, by_passes).cost;
  }
  const index_t m = n / 2;
  const bool is_from = lines.problem.from == Elements::real;
  const PassLengths passes = convolved_pass_lengths<Real>(m, {neighbours, 0}, {.several = true}, scratch);
  const bool are_several = passes.lengths.size() > 1;
  const double postprocess = are_several ? 1 : 0;
  // Half spectra are read by hooks: passes took an H100 1.1 times what they cost here, 1.5 times where large primes are in the
  // first one (18 lengths to 2^17 in f32, medians).
  const double reading = !is_from && are_several && !is_smooth(passes.lengths.front()) ? 1.3 : 1;
  const double by_passes = reading * passes.cost + postprocess;
  return 0.5 *
         std::min(by_passes, long_convolution<Real>(m, is_from, scratch, fixed_convolved_rows(lines), 0, by_passes - 1).cost + 1);
}

}  // namespace

template <class Real>
bool add_short_reals(LinePasses<Real>& lines, const LineEnds<Real>& ends) {
  if (!are_usual_reals(lines) || lines.loops.loops.size() > 1 || !takes_short_reals(lines.problem.length)) {
    return false;
  }
  Pass<Real> pass;
  pass.length = static_cast<int>(lines.problem.length);
  ShortReals<Real>& plan = lines.add_whole(pass, ends).short_reals;
  plan = short_reals<Real>(lines.problem.length, lines.problem.from == Elements::real);
  plan.factors = lines.tables.keep(short_reals_factors(lines.problem.length));
  return true;
}

template <class Real>
bool add_fixed_real_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends) {
  const index_t n = lines.problem.length;
  const bool has_radices = !column_radices<Real>(n % 2 == 0 ? n / 2 : n).empty();
  if (!are_usual_reals(lines) || lines.loops.loops.size() > 1 || has_radices) {
    return false;
  }
  const std::size_t scratch = lines.tables.fixed_scratch();
  const bool is_from = lines.problem.from == Elements::real;
  const ChirpExtents part{is_from ? n : n / 2 + 1, is_from ? n / 2 + 1 : n};
  const FixedConvolution fixed = fixed_convolution<Real>(part.least_padded(), scratch);
  if (fixed.length == 0) {
    return false;
  }
  const double cost = fixed.cost * static_cast<double>(fixed.length) / static_cast<double>(n);
  if (cost >= std::min(real_pass_lengths<Real>(n, !is_from, scratch).cost, cost_of_others(lines))) {
    return false;
  }
  Pass<Real> pass;
  lines.tables.set_transform(pass, is_from ? PassForm::convolution_from_real : PassForm::convolution_to_real, fixed.length);
  lines.add_loops(pass, lines.from, lines.to, {});
  // In real numbers on their side, whatever the array's places are.
  (is_from ? pass.loops[0].from : pass.loops[0].to) *= is_from ? lines.from.pitch : lines.to.pitch;
  set_chirps(lines, pass, pass, ends, part);
  pass.filter_spectrum = lines.tables.keep(bluestein_filter_spectrum<Real>(chirp(n), fixed.length, part));
  lines.add(Place::input, Place::output, pass);
  needs_whole_spectra(lines);
  return true;
}

template <class Real>
bool add_real_passes(LinePasses<Real>& lines, const LineEnds<Real>& ends) {
  if (!are_usual_reals(lines)) {
    return false;
  }
  const index_t n = lines.problem.length;
  const std::size_t scratch = lines.tables.fixed_scratch();
  PassLengths passes;
  if (is_smooth(n)) {
    passes = general_pass_lengths<Real>(n, scratch, {}, lines.problem.to == Elements::real);
  } else if (passes = real_pass_lengths<Real>(n, lines.problem.to == Elements::real, scratch);
             passes.cost >= cost_of_others(lines)) {
    return false;
  }
  if (passes.lengths.empty()) {
    return false;
  }
  lines.problem.from == Elements::real ? add_passes_from_reals(lines, ends, passes.lengths)
                                       : add_passes_to_reals(lines, ends, passes.lengths);
  needs_whole_spectra(lines);
  return true;
}

template <class Real>
bool add_real_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends) {
  const index_t n = lines.problem.length;
  if (!are_usual_reals(lines) || n % 2 == 0) {
    return false;
  }
  const std::size_t scratch = lines.tables.fixed_scratch();
  const bool is_from = lines.problem.from == Elements::real;
  const ChirpExtents part{is_from ? n : n / 2 + 1, is_from ? n / 2 + 1 : n};
  const index_t neighbours = lines.neighbours();
  const ConvolutionShape one = convolution_shape<Real>(n, {neighbours, 0}, true, scratch, part.least_padded());
  const LongConvolution whole = long_convolution<Real>(n, true, scratch, fixed_convolved_rows(lines), part.least_padded());
  const double others = cost_of_hooks * convolved_pass_lengths<Real>(n, {neighbours, 0}, {}, scratch).cost;
  if (std::min(one.columns.cost, whole.cost) >= others) {
    return false;
  }
  if (one.columns.cost > whole.cost) {
    add_long_real_convolution(lines, ends, whole);
    needs_whole_spectra(lines);
    return true;
  }
  Pass<Real> pass;
  pass.length = static_cast<int>(n);
  lines.add_loops(pass, lines.from, lines.to, {});
  if (!PassTables<Real>::fits_32_bits(pass, one.columns.shape.width)) {
    return false;
  }
  set_chirps(lines, pass, pass, ends, part);
  lines.add(Place::input, Place::output, pass).general = lines.tables.general_real_convolution(
      pass, one, bluestein_filter_spectrum<Real>(chirp(n), one.length, part), is_from ? RealEnd::reals : RealEnd::odd_half,
      is_from ? RealEnd::whole : RealEnd::reals);
  needs_whole_spectra(lines);
  return true;
}

template bool add_short_reals(LinePasses<float>&, const LineEnds<float>&);
template bool add_fixed_real_convolution(LinePasses<float>&, const LineEnds<float>&);
template bool add_real_passes(LinePasses<float>&, const LineEnds<float>&);
template bool add_real_convolution(LinePasses<float>&, const LineEnds<float>&);
template bool add_short_reals(LinePasses<double>&, const LineEnds<double>&);
template bool add_fixed_real_convolution(LinePasses<double>&, const LineEnds<double>&);
template bool add_real_passes(LinePasses<double>&, const LineEnds<double>&);
template bool add_real_convolution(LinePasses<double>&, const LineEnds<double>&);

}  // namespace phpc::fft
