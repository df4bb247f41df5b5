#include "fft/device/pass_choice.hpp"

#include <string>

#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/math/factors.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// The lengths of columns that have kernels of their own.
template <class Real, class... Shapes>
std::vector<FixedColumn> fixed_columns(std::size_t scratch, ShapeList<Shapes...> /*list*/) {
  std::vector<FixedColumn> columns;
  ((scratch_bytes_of<Real, Shapes>() <= scratch ? columns.push_back({Shapes::length, 0.01 * Shapes::share}) : void()), ...);
  return columns;
}

template <class Real>
std::vector<FixedColumn> fixed_columns(std::size_t scratch) {
  return fixed_columns<Real>(scratch, typename FixedColumns<Real>::Shapes{});
}

/// Several passes on a GPU.
template <class Real>
PassLengths gpu_passes(index_t n, std::size_t scratch, bool has_fixed) {
  const std::vector<FixedColumn> fixed = fixed_columns<Real>(scratch);
  return general_pass_lengths<Real>(n, scratch, has_fixed ? fixed : std::vector<FixedColumn>{});
}

/// Returns what passes of these lengths take.
template <class Real>
double cost_of(const std::vector<index_t>& lengths, index_t n, std::size_t scratch) {
  const std::vector<FixedColumn> fixed = fixed_columns<Real>(scratch);
  double cost = 0;
  for (const index_t length : lengths) {
    cost += cost_of_pass<Real>(length, n / length, scratch, fixed);
  }
  return cost;
}

/// The kernels that do the last two passes, in the order of a table.
template <class Real, class... Shapes>
std::vector<LastPasses> all_last_passes(std::size_t scratch, ShapeList<Shapes...> /*list*/) {
  std::vector<LastPasses> found;
  ((scratch_bytes_of<Real, Shapes>() <= scratch ? found.push_back({Shapes::length, Shapes::Second::width}) : void()), ...);
  return found;
}

/// Columns that fit into a team's scratch by one pass, which may hold few of them side by side, or by several.
template <class Real>
std::vector<index_t> column_passes(index_t n, std::size_t scratch, const ColumnPlaces& columns, bool has_fixed) {
  const ColumnShape one = column_shape<Real>(n, columns, scratch);
  PassLengths several = gpu_passes<Real>(n, scratch, has_fixed);
  // They take work memory too.
  constexpr double clearly = 0.9;
  if (!several.lengths.empty() && several.cost < clearly * one.cost) {
    return several.lengths;
  }
  return {n};
}

}  // namespace

template <class Real>
std::vector<index_t> chosen_passes(index_t n, index_t capacity, std::size_t fixed_scratch, const ColumnPlaces& columns,
                                   bool has_fixed) {
  if (has_fixed && fixed_radices<Real>(PassForm::rows, n, fixed_scratch).empty()) {
    // Two passes of kernels for their length beat one of the general kernel.
    const auto pair = column_pair<Real>(n, fixed_scratch, typename FixedColumns<Real>::Shapes{});
    if (!pair.empty()) {
      // Columns of 4096 in f32 go through memory 32 bytes at a time: 2^24 as two of them took 2.5 ms a GiB on an H200, as three
      // passes over shorter ones 2.1 ms.
      const bool is_slow = sizeof(Real) == sizeof(float) && pair.front() == 4096;
      return is_slow ? pass_lengths(n, 1024).value_or(pair) : pair;
    }
  }
  const bool has_kernel = has_fixed && !fixed_radices<Real>(PassForm::columns, n, fixed_scratch).empty();
  if (n <= capacity && fixed_scratch > 0 && columns.neighbours >= columns_of_line && !has_kernel) {
    return column_passes<Real>(n, fixed_scratch, columns, has_fixed);
  }
  if (n <= capacity) {
    return {n};
  }
  if (fixed_scratch > 0) {
    if (PassLengths found = gpu_passes<Real>(n, fixed_scratch, has_fixed); !found.lengths.empty()) {
      return found.lengths;
    }
  }
  if (const auto roomy = pass_lengths(n, capacity / columns_of_line)) {
    return *roomy;
  }
  if (const auto tight = pass_lengths(n, capacity)) {
    return *tight;
  }
  fail(ErrorKind::usage, "cannot plan a transform of length " + std::to_string(n) +
                             " (three passes over memory do not reach that far on this device); give a shorter one");
}

template <class Real>
LastPasses last_passes(index_t n, index_t capacity, std::size_t fixed_scratch) {
  // Two passes alone take less up to there: 2^21 in f64 383 us for 256 MiB on an H200, where these took 407 at least.
  constexpr index_t least = index_t{1} << 21;
  if (n < least || fixed_scratch == 0) {
    return {};
  }
  // What both passes cost: on an H200, f32, 256 MiB, 280 us, where a pass by a kernel of 256 took 155.
  constexpr double both = 1.86;
  constexpr double clearly = 0.98;
  double cost = clearly * cost_of<Real>(chosen_passes<Real>(n, capacity, fixed_scratch, {}), n, fixed_scratch);
  LastPasses best;
  for (const LastPasses& last : all_last_passes<Real>(fixed_scratch, typename FixedLastPasses<Real>::Shapes{})) {
    const index_t first = n / last.length;
    if (n % last.length != 0 || first < last.width || column_radices<Real>(first).empty()) {
      continue;
    }
    const double now = both + cost_of<Real>({first}, n, fixed_scratch);
    if (now < cost) {
      cost = now;
      best = last;
    }
  }
  return best;
}

template LastPasses last_passes<float>(index_t, index_t, std::size_t);
template LastPasses last_passes<double>(index_t, index_t, std::size_t);
template std::vector<index_t> chosen_passes<float>(index_t, index_t, std::size_t, const ColumnPlaces&, bool);
template std::vector<index_t> chosen_passes<double>(index_t, index_t, std::size_t, const ColumnPlaces&, bool);

}  // namespace phpc::fft
