#include "fft/host/transforms/radices.hpp"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <limits>

#include "fft/math/factors.hpp"

namespace phpc::fft {

namespace {

constexpr int largest_radix = 16;

/// Times of a stage, in nanoseconds for a pack of elements, by its radix: fitted to 6000 transforms of 128 to 8192 elements in
/// cache, in both precisions, with splits and radices drawn at random, on an AMD EPYC of Zen 5 with packs of 512 bits. The fit is
/// off by 2.6 % of a transform's time in the median, by 7 % in a tenth of the cases.
constexpr double stage_cost[] = {0, 0, 0.82, 1.00, 0.94, 1.22, 1.25, 1.46, 1.41, 1.68, 1.63, 2.10, 1.66, 2.55, 2.21, 2.24, 2.01};
/// The same of the last stage, which has no twiddles, up to what is the same for all radices.
constexpr double last_stage_cost[] = {0,     0,     -0.41, -0.53, -0.66, -0.66, -0.71, -0.66, -0.58,
                                      -0.29, -0.30, 0.56,  0.46,  1.06,  0.34,  0.61,  0.81};
/// The same of a stage that is the only one. Radices below 8 were not fitted, as packs of 512 bits have no use for them there.
constexpr double only_stage_cost[] = {0, 0, 0, 0, 0, 0, 0, 0, 0.41, -0.05, -0.01, 0.57, -0.02, 1.27, 0.88, 1.07, 0.45};
/// No stage takes less for each doubling of the length.
constexpr double least_cost_of_doubling = 0.45;

/// Finds the stages of a length that take the least time: a last one, and before it the others, the largest radix first.
class StageSearch {
 public:
  /// Tries all products of radices that are `left`, with radices up to `largest`, after the stages of now_.
  void run(index_t left, int largest, double cost) {
    if (left == 1) {
      if (cost < best_cost_) {
        best_cost_ = cost;
        best_ = now_;
      }
      return;
    }
    const auto doublings = static_cast<double>(std::bit_width(static_cast<std::uint64_t>(left)) - 1);
    if (cost + least_cost_of_doubling * doublings >= best_cost_) {
      return;
    }
    for (int radix = largest; radix >= 2; --radix) {
      if (left % radix == 0) {
        now_.push_back(radix);
        run(left / radix, radix, cost + stage_cost[radix]);
        now_.pop_back();
      }
    }
  }
  /// Tries stages of length n that end with each radix.
  void run_all(index_t n) {
    for (int last = 2; last <= largest_radix; ++last) {
      if (n % last == 0) {
        const double before = best_cost_;
        run(n / last, largest_radix, last_stage_cost[last]);
        last_ = best_cost_ < before ? last : last_;
      }
    }
  }
  [[nodiscard]] std::vector<int> radices() const {
    std::vector<int> all = best_;
    all.push_back(last_);
    return all;
  }

 private:
  std::vector<int> now_;
  std::vector<int> best_;
  double best_cost_ = std::numeric_limits<double>::max();
  int last_ = 1;
};

}  // namespace

std::optional<std::vector<int>> host_radices(index_t length) {
  if (length == 1) {
    return std::vector<int>{};
  }
  if (!is_smooth(length)) {
    return std::nullopt;
  }
  if (length <= largest_radix) {
    return std::vector{static_cast<int>(length)};
  }
  StageSearch search;
  search.run_all(length);
  return search.radices();
}

double host_stages_cost(const std::vector<int>& radices) {
  if (radices.size() == 1) {
    return only_stage_cost[radices[0]];
  }
  double cost = 0;
  for (std::size_t i = 0; i < radices.size(); ++i) {
    cost += (i + 1 < radices.size() ? stage_cost : last_stage_cost)[radices[i]];
  }
  return cost;
}

}  // namespace phpc::fft
