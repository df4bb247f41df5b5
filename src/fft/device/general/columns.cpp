#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "fft/device/general/classes.hpp"
#include "fft/device/general/limits.hpp"
#include "fft/device/general/rule.hpp"
#include "fft/factors.hpp"
#include "fft/rader.hpp"

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

/// Threads of a team for so many elements, and how many such teams a multiprocessor holds.
struct Teams {
  index_t size;
  index_t count;
};
Teams teams_of(index_t elements, int largest, index_t registers, index_t bytes, std::size_t scratch) {
  const index_t size = std::min(
      {full_warps(ceil_div(elements, largest)), most_threads, registers_of_unit / registers / warp_threads * warp_threads});
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

/// A pass of this length, of many neighbours, in rows `step` elements apart.
template <class Real>
double cost_of_pass(index_t length, index_t step, std::size_t scratch, const std::vector<index_t>& fixed) {
  if (std::find(fixed.begin(), fixed.end(), length) != fixed.end()) {
    return length >= 2048 ? 1.35 : 1.02;
  }
  const ColumnShape found = column_shape<Real>(length, {many_neighbours, step}, scratch);
  return found.shape.team_size > 0 ? found.cost : std::numeric_limits<double>::max();
}

/// Lengths of convolutions that are tried: the shortest ones.
constexpr int tried_convolutions = 8;

/// What a team does within its scratch beside one pass over memory: elements are put there and taken from there, and read and
/// written by each stage of two transforms. Of a pass's time, an H100 took half for the former and an eighth for an access.
template <class Real>
double cost_of_convolution(index_t line, index_t length, const GeneralShape& shape) {
  const bool has_few_registers = shape.radices.front() <= ConvolutionClasses<Real>::all[0].largest;
  const double access = has_few_registers ? 0.13 : 0.15;
  return 0.5 + access * 4 * static_cast<double>(shape.radices.size()) * static_cast<double>(length) / static_cast<double>(line);
}

/// A pass by convolutions of this length and shape, which reads rows or writes them.
template <class Real>
double cost_of_convolved_pass(GeneralShape& shape, index_t length, index_t width, index_t step, std::size_t scratch) {
  const index_t elements = width * length;
  const index_t bytes = bytes_of<Real>(elements);
  if (bytes > static_cast<index_t>(scratch)) {
    return std::numeric_limits<double>::max();
  }
  const GeneralClass& its = convolution_class<Real>(shape.radices.front());
  const auto [team, teams] = teams_of(elements, its.largest, its.registers, bytes, scratch);
  shape.width = static_cast<int>(width);
  shape.team_size = static_cast<int>(team);
  const auto element_bytes = static_cast<index_t>(sizeof(Complex<Real>));
  const double segments = step > 0 ? cost_of_segments(width * element_bytes, step * element_bytes) : 1;
  const double size = std::log2(static_cast<double>(elements * element_bytes) / usual_tile);
  return (segments + cost_of_convolution<Real>(shape.convolved, length, shape)) * cost_of_teams(teams) +
         0.3 * cost_of_warps(elements, shape.radices) + (size < 0 ? 0.5 * size * size : 0);
}

/// What hooks make of a pass's time: measured on an H100.
constexpr double cost_of_hooks = 1.8;

std::vector<index_t> divisors_of(index_t n, index_t most, index_t least = least_pass) {
  std::vector<index_t> found;
  for (index_t d = least; d <= std::min(n / least, most); ++d) {
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
ColumnShape row_convolution_shape(index_t length, std::size_t scratch) {
  ColumnShape best;
  GeneralShape shape;
  shape.convolved = length;
  shape.has_elements = true;
  best.cost = std::numeric_limits<double>::max();
  // With radices over 16 an H100 took a fifth more.
  shape.radices = radices_up_to(length, ConvolutionClasses<Real>::all[0].largest);
  for (index_t width = 1; width <= 16 && !shape.radices.empty(); ++width) {
    const double cost = cost_of_convolved_pass<Real>(shape, length, width, 0, scratch);
    if (cost < best.cost) {
      best = {shape, cost};
    }
  }
  return best;
}

template <class Real>
ConvolutionShape convolution_shape(index_t line, const ColumnPlaces& places, std::size_t scratch) {
  ConvolutionShape best;
  best.columns.cost = std::numeric_limits<double>::max();
  GeneralShape shape;
  shape.convolved = line;
  shape.has_elements = true;
  const auto try_length = [&](index_t length) {
    for (const GeneralClass& its : ConvolutionClasses<Real>::all) {
      shape.radices = radices_up_to(length, its.largest);
      if (shape.radices.empty()) {
        continue;
      }
      for (index_t width = 1; width <= std::min<index_t>(places.neighbours, 64); width += width < 4 ? 1 : width / 4) {
        const double cost = cost_of_convolved_pass<Real>(shape, length, width, places.step, scratch);
        if (cost < best.columns.cost) {
          best = {length, {shape, cost}};
        }
      }
    }
  };
  if (line > 2 && is_smooth(line - 1) && is_prime(line)) {
    shape.is_rader = true;
    try_length(line - 1);
    shape.is_rader = false;
  }
  index_t length = smooth_length(2 * line - 1);
  for (int tried = 0; tried < tried_convolutions; ++tried, length = smooth_length(length + 1)) {
    try_length(length);
  }
  return best;
}

template <class Real>
LongConvolution long_convolution(index_t n, std::size_t scratch) {
  LongConvolution best{0, 0, std::numeric_limits<double>::max()};
  index_t length = smooth_length(2 * n - 1);
  for (int tried = 0; tried < tried_convolutions; ++tried, length = smooth_length(length + 1)) {
    for (const index_t rows : divisors_of(length, static_cast<index_t>(scratch / sizeof(Complex<Real>)))) {
      const index_t columns = length / rows;
      const ColumnShape plain = column_shape<Real>(columns, {many_neighbours, rows}, scratch);
      const ColumnShape twice = row_convolution_shape<Real>(rows, scratch);
      if (plain.shape.team_size == 0 || twice.shape.team_size == 0) {
        continue;
      }
      const double passes = 2 * cost_of_hooks * plain.cost + twice.cost;
      const double cost = passes * static_cast<double>(length) / static_cast<double>(n);
      if (cost < best.cost) {
        best = {length, columns, cost};
      }
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

template <class Real>
PassLengths convolved_pass_lengths(index_t n, const ColumnPlaces& places, std::size_t scratch) {
  struct Pass {
    index_t length;
    double cost;
    bool is_convolution;
  };
  const auto pass_of = [&](index_t length, const ColumnPlaces& lying) -> Pass {
    const ColumnShape plain = column_shape<Real>(length, lying, scratch);
    return plain.shape.team_size > 0 ? Pass{length, plain.cost, false}
                                     : Pass{length, convolution_shape<Real>(length, lying, scratch).columns.cost, true};
  };
  PassLengths best{{n}, pass_of(n, places).cost};
  const auto take = [&](std::vector<Pass> passes) {
    double cost = 0;
    for (const Pass& pass : passes) {
      cost += pass.cost;
    }
    if (cost < best.cost) {
      std::sort(passes.begin(), passes.end(), [](const Pass& a, const Pass& b) {
        return a.is_convolution != b.is_convolution ? b.is_convolution
               : a.is_convolution                   ? a.length < b.length
                                                    : a.length > b.length;
      });
      best = {{}, cost};
      for (const Pass& pass : passes) {
        best.lengths.push_back(pass.length);
      }
    }
  };
  std::vector<Pass> parts;
  for (const index_t length : divisors_of(n, static_cast<index_t>(scratch / sizeof(Complex<Real>)), 2)) {
    const Pass part = pass_of(length, {many_neighbours, n / length});
    if (part.cost < best.cost) {
      parts.push_back(part);
    }
  }
  for (const Pass& first : parts) {
    for (const Pass& second : parts) {
      const index_t rest = n / first.length;
      if (second.length > first.length || rest % second.length != 0) {
        continue;
      }
      if (rest == second.length) {
        take({first, second});
      }
      for (const Pass& third : parts) {
        if (third.length <= second.length && rest / second.length == third.length) {
          take({first, second, third});
        }
      }
    }
  }
  return best;
}

template ColumnShape row_convolution_shape<float>(index_t, std::size_t);
template ColumnShape row_convolution_shape<double>(index_t, std::size_t);
template LongConvolution long_convolution<float>(index_t, std::size_t);
template LongConvolution long_convolution<double>(index_t, std::size_t);
template ConvolutionShape convolution_shape<float>(index_t, const ColumnPlaces&, std::size_t);
template ConvolutionShape convolution_shape<double>(index_t, const ColumnPlaces&, std::size_t);
template PassLengths convolved_pass_lengths<float>(index_t, const ColumnPlaces&, std::size_t);
template PassLengths convolved_pass_lengths<double>(index_t, const ColumnPlaces&, std::size_t);
template ColumnShape column_shape<float>(index_t, const ColumnPlaces&, std::size_t);
template ColumnShape column_shape<double>(index_t, const ColumnPlaces&, std::size_t);
template PassLengths general_pass_lengths<float>(index_t, std::size_t, const std::vector<index_t>&);
template PassLengths general_pass_lengths<double>(index_t, std::size_t, const std::vector<index_t>&);

}  // namespace phpc::fft
