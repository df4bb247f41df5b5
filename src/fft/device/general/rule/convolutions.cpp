#include <algorithm>
#include <limits>
#include <map>
#include <span>

#include "fft/device/general/rule/costs.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/math/factors.hpp"
#include "fft/math/rader.hpp"

/// The rule for convolutions.
namespace phpc::fft {

namespace {

/// Lengths of convolutions that are tried: the shortest ones.
constexpr int tried_convolutions = 8;
/// And of columns of a long one with rows of a given length.
constexpr int tried_columns = 3;

/// What a pass by convolutions takes, in copies of its memory: `fixed`, and for an element of the convolution, of which there are
/// several for one of the line, `element` and for each round of a team's threads through the butterflies of a stage of both
/// transforms `round`. Fitted to 849 shapes of 17 lengths on an H100 by FactorTiles, a fit to each class off by 7 % on the
/// average, and rounded, when the two transforms had no stage in common. Those of ConvolvedTiles come from fewer.
struct ConvolutionCosts {
  double fixed;
  double element;
  double round;
};
template <class Real>
ConvolutionCosts convolution_costs(const GeneralShape& shape) {
  constexpr bool is_single = sizeof(Real) == sizeof(float);
  if (!shape.has_factors) {
    return {1.5, 0.05, 0.45};
  }
  if (shape.radices.front() <= ConvolutionClasses<Real>::all[0].largest) {
    return is_single ? ConvolutionCosts{0.94, 0.05, 0.34} : ConvolutionCosts{0.14, 0.46, 0.25};
  }
  return is_single ? ConvolutionCosts{1.04, 0.26, 0.33} : ConvolutionCosts{0.21, 0.25, 0.32};
}

/// Returns the factor by which a pass is slower where a multiprocessor holds few warps, or one team alone. Of 398 (f32) and 204
/// (f64) shapes of eleven and ten lengths, most of them drawn, the one of each length that the model has for the quickest took
/// 1.06 and 1.03 times as long as the quickest, by the average, on an H100; with the registers' limit counted in threads, not in
/// whole warps, 1.06 and 1.09.
double cost_of_warps_in_flight(index_t warps, index_t teams) {
  constexpr double enough = 16;
  const double missing = std::max(0.0, 1 - static_cast<double>(warps) / enough);
  return (1 + 0.8 * missing) * (teams == 1 ? 1.07 : 1);
}

/// What the last radix counts less: the first transform's last stage and the second one's first are done together.
constexpr double stages_done_together = 0.5;

/// Returns a lower bound of the cost of a pass by convolutions of this length and of a shape's radices.
template <class Real>
double least_cost(const GeneralShape& shape, index_t length) {
  const ConvolutionCosts costs = convolution_costs<Real>(shape);
  const double stages = static_cast<double>(shape.radices.size()) - stages_done_together;
  return costs.fixed +
         (costs.element + costs.round * stages) * static_cast<double>(length) / static_cast<double>(shape.convolved);
}

/// Returns the cost of a pass by convolutions of this length and shape, with the quickest team, which it sets: those for one
/// round and for two through the stages of the largest and of the smallest radix are tried.
template <class Real>
double cost_of_convolved_pass(GeneralShape& shape, index_t length, index_t width, index_t step, std::size_t scratch) {
  const index_t elements = width * length;
  const index_t bytes = bytes_of<Real>(elements);
  double best = std::numeric_limits<double>::max();
  if (bytes > static_cast<index_t>(scratch)) {
    return best;
  }
  const GeneralClass& its = convolution_class<Real>(shape.radices.front());
  const index_t most = most_threads_of(its.registers);
  const ConvolutionCosts costs = convolution_costs<Real>(shape);
  const auto element_bytes = static_cast<index_t>(sizeof(Complex<Real>));
  const double segments = step > 0 ? cost_of_segments(width * element_bytes, step * element_bytes) : 1;
  const double padding = static_cast<double>(length) / static_cast<double>(shape.convolved);
  shape.width = static_cast<int>(width);
  for (const int radix : {shape.radices.front(), shape.radices.back()}) {
    for (const index_t rounds : {1, 2}) {
      const index_t team = std::min(most, full_warps(ceil_div(ceil_div(elements, radix), rounds)));
      const auto paid_of = [&](int now) { return static_cast<double>(ceil_div(ceil_div(elements, now), team) * team * now); };
      // Elements that the threads have time for in all rounds of all stages.
      double paid = -stages_done_together * paid_of(shape.radices.back());
      for (const int now : shape.radices) {
        paid += paid_of(now);
      }
      const index_t by_registers = warps_by_registers(its.registers) / (team / warp_threads);
      const index_t teams =
          std::max<index_t>(1, std::min({static_cast<index_t>(scratch) / bytes, by_registers, threads_of_unit / team}));
      const double work = costs.element + costs.round * paid / static_cast<double>(elements);
      const double cost =
          (costs.fixed + segments - 1 + padding * work) * cost_of_warps_in_flight(teams * team / warp_threads, teams);
      if (cost < best) {
        best = cost;
        shape.team_size = static_cast<int>(team);
      }
    }
  }
  return best;
}

/// The factors by which a pass with factors, or with hooks of any kind, takes longer: measured on an H100.
constexpr double cost_of_factors = 1.5;
constexpr double cost_of_outer_hooks = 1.8;

}  // namespace

template <class Real>
ColumnShape row_convolution_shape(index_t length, std::size_t scratch) {
  ColumnShape best;
  GeneralShape shape;
  shape.convolved = length;
  shape.has_factors = true;
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
ConvolutionShape convolution_shape(index_t line, const ColumnPlaces& places, bool is_direct, std::size_t scratch, index_t least) {
  ConvolutionShape best;
  best.columns.cost = std::numeric_limits<double>::max();
  constexpr std::size_t classes = std::size(ConvolutionClasses<Real>::all);
  GeneralShape shape;
  shape.convolved = line;
  const auto try_length = [&](index_t length) {
    if (bytes_of<Real>(length) > static_cast<index_t>(scratch)) {
      return;
    }
    for (const GeneralClass& its : std::span(ConvolutionClasses<Real>::all).first(least > 0 ? 1 : classes)) {
      shape.radices = radices_up_to(length, its.largest);
      if (shape.radices.empty() || least_cost<Real>(shape, length) >= best.columns.cost) {
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
  if (least == 0 && line > 2 && is_smooth(line - 1) && is_prime(line)) {
    shape.is_rader = true;
    shape.has_elements = true;
    try_length(line - 1);
    shape.is_rader = false;
  }
  shape.has_factors = is_direct;
  shape.has_elements = !is_direct;
  index_t length = smooth_length(least > 0 ? least : 2 * line - 1);
  for (int tried = 0; tried < tried_convolutions; ++tried, length = smooth_length(length + 1)) {
    try_length(length);
  }
  return best;
}

template <class Real>
LongConvolution long_convolution(index_t n, bool is_direct, std::size_t scratch, const std::vector<ConvolvedRow>& fixed,
                                 index_t least, double most_cost) {
  LongConvolution best{0, 0, most_cost};
  constexpr double least_plain = 1;         // no pass takes less than a copy
  std::map<index_t, double> costs_of_rows;  // infinite (the largest number) where there is no room
  for (const ConvolvedRow& row : fixed) {
    costs_of_rows.emplace(row.length, row.cost);
  }
  const auto cost_of_rows = [&](index_t rows) {
    const auto [found, is_new] = costs_of_rows.try_emplace(rows, 0);
    if (is_new) {
      found->second = row_convolution_shape<Real>(rows, scratch).cost;
    }
    return found->second;
  };
  const auto try_rows = [&](index_t rows, index_t columns) {
    const double padding = static_cast<double>(rows * columns) / static_cast<double>(n);
    // One side of the outer passes is of the n elements alone.
    const double outer = is_direct ? cost_of_factors * (1 + padding) / 2 : cost_of_outer_hooks * padding;
    if (2 * outer * least_plain >= best.cost || bytes_of<Real>(columns) > static_cast<index_t>(scratch)) {
      return;
    }
    const double twice = cost_of_rows(rows) * padding;
    if (2 * outer * least_plain + twice >= best.cost) {
      return;
    }
    const ColumnShape plain = column_shape<Real>(columns, {many_neighbours, rows}, scratch);
    const double cost = 2 * outer * plain.cost + twice;
    if (plain.shape.team_size > 0 && cost < best.cost) {
      best = {rows * columns, columns, cost};
    }
  };
  const index_t shortest = least > 0 ? least : 2 * n - 1;
  for (const ConvolvedRow& row : fixed) {
    index_t columns = smooth_length(ceil_div(shortest, row.length));
    for (int tried = 0; tried < tried_columns; ++tried, columns = smooth_length(columns + 1)) {
      try_rows(row.length, columns);
    }
  }
  index_t length = smooth_length(shortest);
  for (int tried = 0; tried < tried_convolutions; ++tried, length = smooth_length(length + 1)) {
    for (const index_t rows : divisors_of(length, static_cast<index_t>(scratch / sizeof(Complex<Real>)))) {
      try_rows(rows, length / rows);
    }
  }
  return best;
}

template <class Real>
PassLengths convolved_pass_lengths(index_t n, const ColumnPlaces& places, const DirectPasses& are_direct, std::size_t scratch) {
  struct Pass {
    index_t length;
    double cost;
    bool is_convolution;
  };
  const auto pass_of = [&](index_t length, const ColumnPlaces& lying, bool is_direct) -> Pass {
    const ColumnShape plain = column_shape<Real>(length, lying, scratch);
    if (plain.shape.team_size > 0) {
      return {length, plain.cost, false};
    }
    const double cost = convolution_shape<Real>(length, lying, is_direct, scratch).columns.cost;
    const double with_prime = are_direct.have_primes ? prime_shape<Real>(length, lying, scratch).cost : cost;
    return {length, std::min(cost, with_prime), true};
  };
  PassLengths best{{n}, pass_of(n, places, are_direct.one).cost};
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
    const Pass part = pass_of(length, {many_neighbours, n / length}, are_direct.several);
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

namespace {

/// The product of a number's prime factors to 13.
index_t smooth_part(index_t n) {
  index_t rest = n;
  for (const index_t prime : {2, 3, 5, 7, 11, 13}) {
    while (rest % prime == 0) {
      rest /= prime;
    }
  }
  return n / rest;
}

/// Convolutions take large primes and of other factors no more than this: what is left goes to passes that are no convolutions.
constexpr index_t most_smooth_part = 8;

}  // namespace

template <class Real>
PassLengths real_pass_lengths(index_t n, bool is_to, std::size_t scratch) {
  PassLengths best{{}, std::numeric_limits<double>::max()};
  constexpr index_t least = 3;  // of shorter ones half a spectrum is as much as a whole one
  // Passes one of which is a convolution that reads half a spectrum took an H100 1.49 times what they cost without this factor,
  // those with one that writes it 1.17 times (35 lengths to 2^17 in f32, medians).
  const double cost_of_reading = is_to ? 1.4 : 1;
  struct Pass {
    index_t length;
    double cost;
  };
  std::vector<Pass> smooth;
  std::vector<Pass> middle;        // with large primes or by a convolution
  std::vector<Pass> convolutions;  // as ConjugatePairTiles do them
  for (const index_t length : divisors_of(n, static_cast<index_t>(scratch / sizeof(Complex<Real>)), least)) {
    const ColumnPlaces places{many_neighbours, n / length};
    const ColumnShape columns = column_shape<Real>(length, places, scratch);
    if (is_smooth(length)) {
      smooth.push_back({length, columns.cost});
      continue;
    }
    const ConvolutionShape convolution =
        smooth_part(length) > most_smooth_part ? ConvolutionShape{} : bluestein_shape<Real>(length, places, scratch);
    if (convolution.length > 0) {
      convolutions.push_back({length, cost_of_reading * convolution.columns.cost});
    }
    if (columns.shape.team_size > 0 || convolution.length > 0) {
      middle.push_back({length, columns.shape.team_size > 0 ? columns.cost : convolution.columns.cost});
    }
  }
  // `rows.cost` is of many neighbours, which is the least: there are only those of half a column's spectrum.
  const auto take = [&](const Pass& first, double cost_between, const Pass& rows, std::initializer_list<index_t> lengths) {
    const index_t half = first.length / 2 + 1;
    const double share = static_cast<double>(half) / static_cast<double>(first.length);
    if (share * (first.cost + cost_between + rows.cost) >= best.cost) {
      return;
    }
    const ColumnPlaces places{half, n / rows.length};
    const double own = is_smooth(rows.length)
                           ? column_shape<Real>(rows.length, places, scratch).cost
                           : cost_of_reading * bluestein_shape<Real>(rows.length, places, scratch).columns.cost;
    const double cost = share * (first.cost + cost_between + own);
    if (cost < best.cost) {
      best = {lengths, cost};
    }
  };
  for (auto first = smooth.rbegin(); first != smooth.rend(); ++first) {
    const index_t rest = n / first->length;
    for (const Pass& rows : convolutions) {
      if (rows.length == rest) {
        take(*first, 0, rows, {first->length, rest});
      }
    }
    for (const Pass& second : middle) {
      for (const std::vector<Pass>* const list : {&smooth, &convolutions}) {
        for (const Pass& rows : *list) {
          if (second.length * rows.length == rest) {
            take(*first, second.cost, rows, {first->length, second.length, rows.length});
          }
        }
      }
    }
  }
  return best;
}

template ColumnShape row_convolution_shape<float>(index_t, std::size_t);
template ColumnShape row_convolution_shape<double>(index_t, std::size_t);
template LongConvolution long_convolution<float>(index_t, bool, std::size_t, const std::vector<ConvolvedRow>&, index_t, double);
template LongConvolution long_convolution<double>(index_t, bool, std::size_t, const std::vector<ConvolvedRow>&, index_t, double);
template ConvolutionShape convolution_shape<float>(index_t, const ColumnPlaces&, bool, std::size_t, index_t);
template ConvolutionShape convolution_shape<double>(index_t, const ColumnPlaces&, bool, std::size_t, index_t);
template PassLengths convolved_pass_lengths<float>(index_t, const ColumnPlaces&, const DirectPasses&, std::size_t);
template PassLengths convolved_pass_lengths<double>(index_t, const ColumnPlaces&, const DirectPasses&, std::size_t);
template PassLengths real_pass_lengths<float>(index_t, bool, std::size_t);
template PassLengths real_pass_lengths<double>(index_t, bool, std::size_t);

}  // namespace phpc::fft
