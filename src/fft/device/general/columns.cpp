#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "fft/device/general/classes.hpp"
#include "fft/device/general/limits.hpp"
#include "fft/device/general/rule.hpp"

namespace phpc::fft {

namespace {

constexpr index_t threads_of_unit = 2048;
constexpr index_t line_bytes = 128;  ///< of memory
constexpr index_t least_pass = 16;   ///< no pass of several is shorter
constexpr index_t most_of_three = 2048;
constexpr index_t many_neighbours = 65536;  ///< more than any tile is wide

/// What rows of so many bytes take in memory, beside whole lines; they begin at multiples of `step` bytes. Half of what they
/// share with others in sectors of memory is paid.
double cost_of_segments(index_t bytes, index_t step) {
  const index_t begins = std::gcd(std::gcd(step, bytes), sector_bytes);
  const double shared = static_cast<double>(sector_bytes - begins) / static_cast<double>(bytes);
  const double parted = bytes >= line_bytes ? 1 : bytes >= 64 ? 1.06 : bytes >= 32 ? 1.35 : bytes >= 16 ? 2.2 : 4;
  return parted * (1 + 0.5 * shared);
}

/// What is lost where few teams take turns on a multiprocessor.
double cost_of_teams(index_t teams) {
  constexpr double costs[] = {1.6, 1.18, 1.06, 1.02};
  return teams <= 4 ? costs[teams - 1] : 1;
}

/// What stages and large radices add.
double cost_of_stages(const std::vector<int>& radices) {
  const auto stages = static_cast<double>(radices.size());
  const double many = stages > 2 ? 0.06 * (stages - 2) * (stages - 2) : 0;
  return many + (radices.front() > 24 ? 0.08 : radices.front() > 16 ? 0.03 : 0);
}

/// Scratch of a team, with room for gaps.
template <class Real>
index_t bytes_of(index_t elements) {
  return (elements + elements / 8 + 32) * static_cast<index_t>(sizeof(Complex<Real>)) + place_bytes;
}

/// How much of the work of full warps is none.
double cost_of_warps(index_t elements, const std::vector<int>& radices) {
  double work = 0;
  double paid = 0;
  for (const int radix : radices) {
    work += static_cast<double>(elements);
    paid += static_cast<double>(radix * full_warps(ceil_div(elements, radix)));
  }
  return paid / work - 1;
}

template <class Real>
double cost_of_width(GeneralShape& shape, index_t length, index_t width, index_t step, std::size_t scratch) {
  const index_t elements = width * length;
  const index_t bytes = bytes_of<Real>(elements);
  if (bytes > static_cast<index_t>(scratch)) {
    return std::numeric_limits<double>::max();
  }
  const int largest = shape.radices.front();
  const index_t registers = general_class<Real>(largest).tile_registers;
  const index_t team = std::min(
      {full_warps(ceil_div(elements, largest)), most_threads, registers_of_unit / registers / warp_threads * warp_threads});
  const index_t teams =
      std::min({static_cast<index_t>(scratch) / bytes, registers_of_unit / (registers * team), threads_of_unit / team});
  const auto element_bytes = static_cast<index_t>(sizeof(Complex<Real>));
  const double size = std::log2(static_cast<double>(elements * element_bytes) / usual_tile);
  shape.width = static_cast<int>(width);
  shape.team_size = static_cast<int>(team);
  return cost_of_segments(width * element_bytes, step * element_bytes) * cost_of_teams(std::max<index_t>(1, teams)) +
         cost_of_stages(shape.radices) + 0.3 * cost_of_warps(elements, shape.radices) + (size < 0 ? 0.03 * size * size : 0);
}

/// A pass of this length, of many neighbours, in rows `step` elements apart.
template <class Real>
double cost_of_pass(index_t length, index_t step, std::size_t scratch, const std::vector<index_t>& fixed) {
  if (std::find(fixed.begin(), fixed.end(), length) != fixed.end()) {
    return length >= 2048 ? 1.35 : 1.02;
  }
  const ColumnShape found = column_shape<Real>(length, {many_neighbours, step}, scratch);
  return found.shape.team_size > 0 ? found.cost : std::numeric_limits<double>::max();
}

std::vector<index_t> divisors_of(index_t n, index_t most) {
  std::vector<index_t> found;
  for (index_t d = least_pass; d <= std::min(n / least_pass, most); ++d) {
    if (n % d == 0) {
      found.push_back(d);
    }
  }
  return found;
}

}  // namespace

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
PassLengths general_pass_lengths(index_t n, std::size_t scratch, const std::vector<index_t>& fixed) {
  const std::vector<index_t> divisors = divisors_of(n, static_cast<index_t>(scratch / sizeof(Complex<Real>)));
  std::map<index_t, double> costs;
  for (const index_t length : divisors) {
    costs[length] = cost_of_pass<Real>(length, n / length, scratch, fixed);
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

template ColumnShape column_shape<float>(index_t, const ColumnPlaces&, std::size_t);
template ColumnShape column_shape<double>(index_t, const ColumnPlaces&, std::size_t);
template PassLengths general_pass_lengths<float>(index_t, std::size_t, const std::vector<index_t>&);
template PassLengths general_pass_lengths<double>(index_t, std::size_t, const std::vector<index_t>&);

}  // namespace phpc::fft
