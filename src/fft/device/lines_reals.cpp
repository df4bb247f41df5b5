#include <algorithm>
#include <limits>

#include "fft/device/lines_ends.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"

/// Lines of real numbers in several passes on a GPU, which read and write no more memory than real numbers take: see RealColumns
/// and ConjugatePairTiles.
namespace phpc::fft {

namespace {

/// Positions in a line are counted in 32 bits with a sign.
constexpr index_t longest_line = index_t{1} << 30;

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

}  // namespace

/// Whether a problem is of contiguous real numbers on one side and of interleaved half spectra on the other, on a GPU.
template <class Real>
bool DeviceLines<Real>::are_usual_reals(const LineProblem& problem) const {
  const bool is_from = problem.from == Elements::real;
  return takes_real_passes_ && problem.is_real() && tables_.fixed_scratch() > 0 &&
         problem.direction == (is_from ? Direction::forward : Direction::inverse) && problem.from_stride == 1 &&
         problem.to_stride == 1 && !keeps_columns_ && is_interleaved(is_from ? to_ : from_) && problem.length < longest_line;
}

/// Adds the passes from real numbers: x[j1 M + j2], of L columns' elements j1 and M columns j2, goes by columns to rows k1 <= L/2
/// of M complex numbers, and by these rows, in one pass or in two, to X[k1 + L k2]. What the rows behind L/2 would give are
/// conjugates.
template <class Real>
void DeviceLines<Real>::add_passes_from_reals(const LineProblem& problem, const Ends& ends, const std::vector<index_t>& lengths) {
  const index_t n = problem.length;
  const index_t rows = lengths.front() / 2 + 1;
  const index_t columns = n / lengths.front();
  const index_t last = lengths.back();
  allocate_work(rows * columns);
  Pass<Real> first;
  first.length = static_cast<int>(lengths.front());
  first.from_position = columns;
  first.to_step = columns;
  tables_.set_four_step_twiddles(first, n);
  add_loops(first, from_, work_, {{.count = ceil_div(columns, index_t{2}), .to = 2, .from_position = 2, .twiddle_step = 2}});
  count_reals(first, first.loop_count - 1, true, from_.pitch);
  steps_.push_back({Place::input, Place::first_work, Action::transform, first});
  steps_.back().general = tables_.general_real_columns(first, columns, columns, true);
  if (lengths.size() == 3) {
    Pass<Real> middle;
    tables_.set_transform(middle, PassForm::columns, lengths[1]);
    middle.from_step = last;
    middle.to_step = last;
    tables_.set_four_step_twiddles(middle, columns);
    add_loops(middle, work_, work_,
              {{.count = rows, .from = columns, .to = columns}, {.count = last, .from = 1, .to = 1, .twiddle_step = 1}});
    middle.width = column_width(lengths[1], last);
    steps_.push_back({Place::first_work, Place::first_work, Action::transform, middle});
    take_general_pass(steps_.back());
  }
  Pass<Real> through_rows;
  through_rows.length = static_cast<int>(last);
  through_rows.to_step = n / last;
  through_rows.store = ends.store;
  // Steps of twiddles count rows here: the tiles have to know the number of each.
  const PassLoop by_rows{.count = rows, .from = columns, .to = 1, .to_position = 1, .twiddle_step = 1};
  if (lengths.size() == 3) {
    const index_t apart = lengths.front();
    add_loops(through_rows, work_, to_, {{.count = lengths[1], .from = last, .to = apart, .to_position = apart}, by_rows});
  } else {
    add_loops(through_rows, work_, to_, {by_rows});
  }
  steps_.push_back({Place::first_work, Place::output, Action::transform, through_rows});
  steps_.back().general = tables_.general_conjugate_pairs(through_rows, n, lengths.front(), false);
}

/// Adds the passes to real numbers, the other way round: X[e R + L k + k1], of R = n / P, gives by columns of P elements e in one
/// pass or in two the rows of half the spectra, k1 <= L/2, of columns x[j1 M + j2], and these give the columns.
template <class Real>
void DeviceLines<Real>::add_passes_to_reals(const LineProblem& problem, const Ends& ends, const std::vector<index_t>& lengths) {
  const index_t n = problem.length;
  const index_t line = lengths.front();
  const index_t half = line / 2 + 1;
  const index_t columns = n / line;
  const index_t length = lengths.back();
  const index_t second = columns / length;  // 1: of two passes
  allocate_work(half * columns);
  Pass<Real> first;
  first.length = static_cast<int>(length);
  first.from_step = n / length;
  first.to_step = second * half;
  first.load.swap = ends.load.swap;
  tables_.set_four_step_twiddles(first, n);
  const PassLoop by_halves{.count = half, .from = 1, .to = 1, .from_position = 1, .twiddle_step = 1};
  if (second > 1) {
    add_loops(first, from_, work_,
              {{.count = second, .from = line, .to = half, .from_position = line, .twiddle_step = line}, by_halves});
  } else {
    add_loops(first, from_, work_, {by_halves});
  }
  steps_.push_back({Place::input, Place::first_work, Action::transform, first});
  steps_.back().general = tables_.general_conjugate_pairs(first, n, line, true);
  if (second > 1) {
    Pass<Real> middle;
    tables_.set_transform(middle, PassForm::columns, second);
    middle.fixed_twiddles = nullptr;  // kernels of a length would take the count of the last loop for L
    middle.from_step = half;
    middle.to_step = half;
    tables_.set_four_step_twiddles(middle, second * line);
    add_loops(
        middle, work_, work_,
        {{.count = length, .from = second * half, .to = second * half}, {.count = half, .from = 1, .to = 1, .twiddle_step = 1}});
    middle.width = column_width(second, half);
    steps_.push_back({Place::first_work, Place::first_work, Action::transform, middle});
    take_general_pass(steps_.back());
  }
  Pass<Real> last;
  last.length = static_cast<int>(line);
  last.to_position = columns;
  last.store = ends.store;
  const PassLoop by_columns{.count = ceil_div(length, index_t{2}), .from = 2 * second * half, .to_position = 2};
  if (second > 1) {
    add_loops(last, work_, to_, {{.count = second, .from = half, .to_position = length}, by_columns});
  } else {
    add_loops(last, work_, to_, {by_columns});
  }
  count_reals(last, last.loop_count - (second > 1 ? 2 : 1), false, to_.pitch);
  steps_.push_back({Place::first_work, Place::output, Action::transform, last});
  steps_.back().general = tables_.general_real_columns(last, length, columns, false);
}

/// Adds the transform by the definition of short odd lines. Adds nothing and returns false for other lines.
template <class Real>
bool DeviceLines<Real>::add_short_reals(const LineProblem& problem, const Ends& ends) {
  if (!are_usual_reals(problem) || loops_.loops.size() > 1 || !takes_short_reals(problem.length)) {
    return false;
  }
  Pass<Real> pass;
  pass.length = static_cast<int>(problem.length);
  pass.store = ends.store;
  add_loops(pass, from_, to_, {});
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
  ShortReals<Real>& plan = steps_.back().short_reals;
  plan = short_reals<Real>(problem.length, problem.from == Elements::real);
  plan.factors = tables_.keep(short_reals_factors(problem.length));
  return true;
}

/// Adds the passes of smooth lengths. Adds nothing and returns false where these passes cannot do the problem.
template <class Real>
bool DeviceLines<Real>::add_real_passes(const LineProblem& problem, const Ends& ends) {
  if (!are_usual_reals(problem)) {
    return false;
  }
  const std::vector<index_t> lengths = general_pass_lengths<Real>(problem.length, tables_.fixed_scratch(), {}).lengths;
  if (lengths.empty()) {
    return false;
  }
  problem.from == Elements::real ? add_passes_from_reals(problem, ends, lengths) : add_passes_to_reals(problem, ends, lengths);
  needs_whole_ = true;
  return true;
}

/// Adds, for odd lengths with large prime factors, a convolution that is only as long as the elements and the results that there
/// are need. Adds nothing and returns false where another way takes less.
template <class Real>
bool DeviceLines<Real>::add_real_convolution(const LineProblem& problem, const Ends& ends) {
  const index_t n = problem.length;
  if (!are_usual_reals(problem) || n % 2 == 0) {
    return false;
  }
  const std::size_t scratch = tables_.fixed_scratch();
  const bool is_from = problem.from == Elements::real;
  const ChirpExtents part{is_from ? n : n / 2 + 1, is_from ? n / 2 + 1 : n};
  const index_t neighbours = loops_.loops.back().count;
  const ConvolutionShape one = convolution_shape<Real>(n, {neighbours, 0}, true, scratch, part.least_padded());
  const LongConvolution whole = long_convolution<Real>(n, true, scratch, part.least_padded());
  // What hooks add to passes of that rule.
  constexpr double cost_of_hooks = 1.4;
  const double others = cost_of_hooks * convolved_pass_lengths<Real>(n, {neighbours, 0}, false, scratch).cost;
  if (std::min(one.columns.cost, whole.cost) >= others) {
    return false;
  }
  if (one.columns.cost > whole.cost) {
    add_long_real_convolution(problem, ends, whole);
    needs_whole_ = true;
    return true;
  }
  Pass<Real> pass;
  pass.length = static_cast<int>(n);
  add_loops(pass, from_, to_, {});
  if (!PassTables<Real>::fits_32_bits(pass, one.columns.shape.width)) {
    return false;
  }
  set_chirps(pass, pass, ends, part);
  steps_.push_back({Place::input, Place::output, Action::transform, pass});
  steps_.back().general =
      tables_.general_real_convolution(pass, one, bluestein_filter_spectrum<Real>(chirp(n), one.length, part),
                                       is_from ? RealEnd::reals : RealEnd::odd_half, is_from ? RealEnd::whole : RealEnd::reals);
  needs_whole_ = true;
  return true;
}

/// The hooks of the first pass of a convolution and of its last one. Factors are chirps; those of half a spectrum that goes to
/// real numbers count each element twice but for element 0, which is its own conjugate.
template <class Real>
void DeviceLines<Real>::set_chirps(Pass<Real>& first, Pass<Real>& last, const Ends& ends, const ChirpExtents& part) {
  const bool is_from = part.elements > part.results;
  const std::vector<Complex<double>> chirp_values = chirp(std::max(part.elements, part.results));
  std::vector<Complex<double>> load(chirp_values.begin(), chirp_values.begin() + part.elements);
  for (std::size_t k = 1; k < load.size() && !is_from; ++k) {
    load[k] = scaled(load[k], 2.0);
  }
  first.load.swap = ends.load.swap;
  first.load.count = part.elements;
  first.load.factors = tables_.keep(load);
  last.store = ends.store;
  last.store.count = part.results;
  last.store.factors = tables_.keep(chirp_values);
}

/// The same as add_long_convolution, for odd lines of real numbers.
template <class Real>
void DeviceLines<Real>::add_long_real_convolution(const LineProblem& problem, const Ends& ends, const LongConvolution& whole) {
  const bool is_from = problem.from == Elements::real;
  const index_t n = problem.length;
  const ChirpExtents part{is_from ? n : n / 2 + 1, is_from ? n / 2 + 1 : n};
  const index_t m = whole.columns;
  const index_t k = whole.length / m;
  allocate_work(whole.length);
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
  add_loops(first, from_, work_, {with_twiddles});
  add_loops(last, work_, to_, {neighbours});
  set_chirps(first, last, ends, part);
  last.store.swap_first = true;
  tables_.set_four_step_twiddles(first, whole.length);
  steps_.push_back({Place::input, Place::first_work, Action::transform, first});
  steps_.back().general = tables_.general_real_factors(first, is_from ? RealEnd::reals : RealEnd::odd_half, RealEnd::whole);
  add_convolved_rows(m, k, bluestein_filter_spectrum<Real>(chirp(n), whole.length, part));
  steps_.push_back({Place::first_work, Place::output, Action::transform, last});
  steps_.back().general = tables_.general_real_factors(last, RealEnd::whole, is_from ? RealEnd::whole : RealEnd::reals);
}

template class DeviceLines<float>;
template class DeviceLines<double>;

}  // namespace phpc::fft
