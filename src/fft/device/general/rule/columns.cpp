#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "fft/device/general/rule/costs.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/math/factors.hpp"

namespace phpc::fft {

namespace {

constexpr index_t most_of_three = 2048;

/// The factor by which a pass is slower where few teams share a multiprocessor.
double cost_of_teams(index_t teams) {
  constexpr double costs[] = {1.6, 1.18, 1.06, 1.02};
  return teams <= 4 ? costs[teams - 1] : 1;
}

/// The share by which many stages and large radices make a pass slower.
double cost_of_stages(const std::vector<int>& radices) {
  const auto stages = static_cast<double>(radices.size());
  const double many = stages > 2 ? 0.06 * (stages - 2) * (stages - 2) : 0;
  return many + (radices.front() > 24 ? 0.08 : radices.front() > 16 ? 0.03 : 0);
}

/// The share of threads' work in full warps that is idle, over the work that counts.
double cost_of_warps(index_t elements, const std::vector<int>& radices) {
  double work = 0;
  double paid = 0;
  for (const int radix : radices) {
    work += static_cast<double>(elements);
    paid += static_cast<double>(radix * full_warps(ceil_div(elements, radix)));
  }
  return paid / work - 1;
}

/// The threads of a team for so many elements, and how many such teams a multiprocessor holds.
struct Teams {
  index_t size;
  index_t count;
};
Teams teams_of(index_t elements, int largest, index_t registers, index_t bytes, std::size_t scratch) {
  const index_t size = std::min(full_warps(ceil_div(elements, largest)), most_threads_of(registers));
  return {size, std::max<index_t>(1, std::min({static_cast<index_t>(scratch) / bytes, registers_of_unit / (registers * size),
                                               threads_of_unit / size}))};
}

template <class Real>
double cost_of_width(GeneralShape& shape, index_t length, index_t width, index_t step, std::size_t scratch) {
  const index_t elements = width * length;
  const index_t bytes = bytes_of<Real>(elements);
  if (bytes > static_cast<index_t>(scratch)) {
    return std::numeric_limits<double>::max();
  }
  const int largest = shape.radices.front();
  const auto [team, teams] = teams_of(elements, largest, general_class<Real>(largest).tile_registers, bytes, scratch);
  const auto element_bytes = static_cast<index_t>(sizeof(Complex<Real>));
  const double size = std::log2(static_cast<double>(elements * element_bytes) / usual_tile);
  shape.width = static_cast<int>(width);
  shape.team_size = static_cast<int>(team);
  const double segments = step > 0 ? cost_of_segments(width * element_bytes, step * element_bytes) : 1;
  return segments * cost_of_teams(teams) + cost_of_stages(shape.radices) + 0.3 * cost_of_warps(elements, shape.radices) +
         (size < 0 ? 0.03 * size * size : 0);
}

/// The share by which radices of more than 16 elements make passes at the side of half spectra slower than others. With it 39
/// lines to real numbers of 20000 to 2^20 elements in f32 were 1.04 times as fast on an H200 by the geometric mean, 1.30 at most
/// and 0.89 at least (two calls); lines of complex numbers would be slower (40: 0.99, 0.86 at least).
double cost_of_large_radix(int radix) {
  return radix > 24 ? 0.32 : radix > 16 ? 0.12 : 0;
}

}  // namespace

template <class Real>
double cost_of_pass(index_t length, index_t step, std::size_t scratch, const std::vector<FixedColumn>& fixed) {
  const auto own = std::find_if(fixed.begin(), fixed.end(), [&](const FixedColumn& column) { return column.length == length; });
  if (own != fixed.end() && own->share == 0) {
    return length >= 4096 ? 1.75 : length >= 2048 ? 1.3 : length >= 1024 ? 1.2 : 1.02;
  }
  const ColumnShape found = column_shape<Real>(length, {many_neighbours, step}, scratch);
  return found.shape.team_size == 0 ? std::numeric_limits<double>::max() : found.cost * (own != fixed.end() ? own->share : 1);
}

template <class Real>
ColumnShape column_shape(index_t length, const ColumnPlaces& places, std::size_t scratch) {
  ColumnShape best;
  GeneralShape shape;
  shape.radices = column_radices<Real>(length);
  if (shape.radices.empty()) {
    return best;
  }
  const index_t row = line_bytes / 2 / static_cast<index_t>(sizeof(Complex<Real>));
  std::vector<index_t> widths{1, 2, row / 2};
  for (index_t width = row; width <= 16 * row; width += row) {
    widths.push_back(width);
  }
  best.cost = std::numeric_limits<double>::max();
  for (const index_t wanted : widths) {
    const double cost = cost_of_width<Real>(shape, length, std::min(wanted, places.neighbours), places.step, scratch);
    if (cost < best.cost) {
      best = {shape, cost};
    }
  }
  return best;
}

template <class Real>
PassLengths general_pass_lengths(index_t n, std::size_t scratch, const std::vector<FixedColumn>& fixed, bool reads_half_spectra) {
  const std::vector<index_t> divisors = divisors_of(n, static_cast<index_t>(scratch / sizeof(Complex<Real>)));
  std::map<index_t, double> costs;
  for (const index_t length : divisors) {
    costs[length] = cost_of_pass<Real>(length, n / length, scratch, fixed);
    if (const std::vector<int> radices = column_radices<Real>(length); reads_half_spectra && !radices.empty()) {
      costs[length] += cost_of_large_radix(radices.front());
    }
  }
  PassLengths best{{}, std::numeric_limits<double>::max()};
  const auto take = [&](double cost, std::initializer_list<index_t> lengths) {
    if (cost < best.cost) {
      best = {lengths, cost};
    }
  };
  for (const index_t first : divisors) {
    const index_t rest = n / first;
    if (rest <= first && costs.contains(rest)) {
      take(costs[first] + costs[rest], {first, rest});
    }
    for (const index_t second : divisors) {
      if (first > most_of_three || second > first || rest % second != 0) {
        continue;
      }
      const index_t third = rest / second;
      if (third <= second && costs.contains(third)) {
        take(costs[first] + costs[second] + costs[third], {first, second, third});
      }
    }
  }
  return best;
}

template double cost_of_pass<float>(index_t, index_t, std::size_t, const std::vector<FixedColumn>&);
template double cost_of_pass<double>(index_t, index_t, std::size_t, const std::vector<FixedColumn>&);
template ColumnShape column_shape<float>(index_t, const ColumnPlaces&, std::size_t);
template ColumnShape column_shape<double>(index_t, const ColumnPlaces&, std::size_t);
template PassLengths general_pass_lengths<float>(index_t, std::size_t, const std::vector<FixedColumn>&, bool);
template PassLengths general_pass_lengths<double>(index_t, std::size_t, const std::vector<FixedColumn>&, bool);

}  // namespace phpc::fft
