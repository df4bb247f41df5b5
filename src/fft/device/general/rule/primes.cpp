#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "fft/device/general/rule/costs.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/math/rader.hpp"

/// The rule for lengths with a prime radix that a stage does by its definition.
namespace phpc::fft {

namespace {

/// What a pass with such a stage takes, in copies of its memory, fitted to lengths of 74 to 9700 on an H100: 15 to 61 teams of
/// each of 12 in f32, 2 to 40 of each of 10 in f64. It is off by 14 and 10 % in the mean, and teams chosen by it took 2 and 3 %
/// more time than the best.
struct PrimeCosts {
  double fixed;
  double stage;     ///< of another stage, for the time that its threads have
  double products;  ///< of the prime stage, for 100 results of a transform, each a product and a sum for an element
  double both;      ///< the factor of that where there are two such stages, estimated from lengths of 1517 and 9991
  double absence;   ///< of all of `enough_warps` on a multiprocessor, as a share
  double enough_warps;
  double doubling;  ///< each time a tile is twice as large as `small_prime_tile`
  double halving;   ///< each time it is half as large as `enough_bytes`
  double enough_bytes;
  double rounds;  ///< where threads have more than one part of the prime stage
};
template <class Real>
constexpr PrimeCosts prime_costs() {
  return sizeof(Real) == sizeof(float) ? PrimeCosts{.fixed = 0.78,
                                                    .stage = 0.07,
                                                    .products = 1.14,
                                                    .both = 2.3,
                                                    .absence = 1.04,
                                                    .enough_warps = 22,
                                                    .doubling = 0.025,
                                                    .halving = 0.35,
                                                    .enough_bytes = 4.4 * 1024,
                                                    .rounds = 0.046}
                                       : PrimeCosts{.fixed = 0.70,
                                                    .stage = 0.09,
                                                    .products = 1.25,
                                                    .both = 2.7,
                                                    .absence = 0.69,
                                                    .enough_warps = 16.6,
                                                    .doubling = 0.045,
                                                    .halving = 0.41,
                                                    .enough_bytes = 7.6 * 1024,
                                                    .rounds = 0.033};
}
constexpr double small_prime_tile = 1024;  // bytes

/// Returns the radices of a length, by definition the last one and maybe the first one; none where it has no such.
template <class Real>
std::vector<int> defined_radices(index_t length) {
  std::vector<int> primes;  // ascending
  index_t rest = length;
  for (int prime = 17; prime <= most_defined_prime; prime += 2) {
    while (rest % prime == 0 && is_prime(prime)) {
      rest /= prime;
      primes.push_back(prime);
    }
  }
  constexpr int least_of_last = 37;  // smaller ones have butterflies
  if (primes.empty() || primes.size() > 2 || primes.back() < least_of_last || (primes.size() == 1 && rest == 1)) {
    return {};
  }
  std::vector<int> radices = rest > 1 ? radices_up_to(rest, prime_class<Real>.largest) : std::vector<int>{};
  if ((rest > 1 && radices.empty()) || radices.size() + primes.size() > most_general_stages) {
    return {};
  }
  if (primes.size() > 1) {
    radices.insert(radices.begin(), primes.front());
  }
  radices.push_back(primes.back());
  return radices;
}

/// The parts of a stage by definition: what one thread does at a time.
template <class Real>
index_t parts_of(index_t prime, index_t transforms) {
  return (prime / 2 / prime_class<Real>.pairs + 1) * transforms;
}

/// Returns the cost of a shape's pass with its width and team.
template <class Real>
double cost_of_prime_pass(const GeneralShape& shape, index_t length, index_t step, std::size_t scratch) {
  constexpr PrimeCosts costs = prime_costs<Real>();
  constexpr PrimeClass its = prime_class<Real>;
  constexpr auto element_bytes = static_cast<index_t>(sizeof(Complex<Real>));
  const index_t width = shape.width;
  const index_t team = shape.team_size;
  const index_t elements = width * length;
  const index_t room = static_cast<index_t>(scratch) / bytes_of<Real>(elements);
  const index_t teams =
      std::max<index_t>(1, std::min({room, registers_of_unit / (its.registers * team), threads_of_unit / team}));
  const double warps = static_cast<double>(teams * team) / static_cast<double>(warp_threads);
  double stages = 0;
  double products = 0;
  bool has_rounds = false;
  for (const int radix : shape.radices) {
    const index_t transforms = elements / radix;
    if (is_defined(radix)) {
      const index_t rounds = ceil_div(parts_of<Real>(radix, transforms), team);
      products += static_cast<double>(rounds * team * 2 * its.pairs) / static_cast<double>(transforms) / 100;
      has_rounds = has_rounds || rounds > 1;
    } else {
      stages += static_cast<double>(ceil_div(transforms, team) * team) / static_cast<double>(transforms);
    }
  }
  const auto bytes = static_cast<double>(elements * element_bytes);
  const double segments = step > 0 ? cost_of_segments(width * element_bytes, step * element_bytes) : 1;
  const double cost = costs.fixed * segments + costs.stage * stages +
                      costs.products * (is_defined(shape.radices.front()) ? costs.both : 1) * products +
                      costs.doubling * std::max(0.0, std::log2(bytes / small_prime_tile)) +
                      costs.halving * std::max(0.0, std::log2(costs.enough_bytes / bytes)) + (has_rounds ? costs.rounds : 0);
  return cost * (1 + costs.absence * std::max(0.0, 1 - warps / costs.enough_warps));
}

}  // namespace

template <class Real>
ColumnShape prime_shape(index_t length, const ColumnPlaces& places, std::size_t scratch) {
  ColumnShape best;
  best.cost = std::numeric_limits<double>::max();
  GeneralShape shape;
  shape.radices = defined_radices<Real>(length);
  if (shape.radices.empty()) {
    return best;
  }
  shape.prime_pairs = static_cast<int>(prime_class<Real>.pairs);
  const index_t most = most_threads_of(prime_class<Real>.registers);
  constexpr index_t widest = 32;
  for (index_t width = 1; width <= std::min(places.neighbours, widest); ++width) {
    const index_t elements = width * length;
    if (bytes_of<Real>(elements) > static_cast<index_t>(scratch)) {
      break;
    }
    shape.width = static_cast<int>(width);
    for (const int radix : shape.radices) {
      const index_t work = is_defined(radix) ? parts_of<Real>(radix, elements / radix) : elements / radix;
      for (index_t rounds = 1; rounds <= 4; ++rounds) {
        shape.team_size = static_cast<int>(std::min(most, full_warps(ceil_div(work, rounds))));
        const double cost = cost_of_prime_pass<Real>(shape, length, places.step, scratch);
        if (cost < best.cost) {
          best = {shape, cost};
        }
      }
    }
  }
  return best;
}

template ColumnShape prime_shape<float>(index_t, const ColumnPlaces&, std::size_t);
template ColumnShape prime_shape<double>(index_t, const ColumnPlaces&, std::size_t);

}  // namespace phpc::fft
