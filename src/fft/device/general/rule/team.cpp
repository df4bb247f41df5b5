#include "fft/device/general/rule/team.hpp"

#include <algorithm>
#include <cmath>

#include "fft/device/general/stages/limits.hpp"

namespace phpc::fft {

namespace {

// The shares of a pass's time that a team costs. They were fitted to the times of 57 000 teams for 960 drawn problems on an H100
// (f32 and f64; complex lines, half spectra and back), and varied one by one over 980 others, whose mean time no single weight
// moved by more than 0.3 %. Than those of a rule with tiles of 11 KiB, teams chosen so took 1.1 % less time of complex lines in
// f32 in the mean, 0.6 % in f64, 0.8 to 2.3 % of lines of real numbers and 3 % of planes (760 problems drawn after that); a
// twentieth took 4 to 16 % more.
constexpr double cost_of_idle = 0.06;      // of a stage whose threads that wait are as many as those that work
constexpr double cost_of_rounds = 0.05;    // where threads have more than one butterfly of the first stage
constexpr double cost_of_doubling = 0.04;  // each time a tile is twice as large
constexpr double small_tile = 2048;        // bytes, from which on that counts
constexpr double cost_of_absence = 0.3;    // of all `enough_threads` of a multiprocessor
constexpr double enough_threads = 1024;
constexpr double cost_of_few = 0.04;     // where fewer than four teams share a multiprocessor
constexpr double cost_of_one = 0.05;     // where one has it for itself, beside that
constexpr double cost_of_a_warp = 0.02;  // of a team that is a single warp

constexpr index_t most_threads_of_tiles = 256;  // of a team that does several transforms
constexpr index_t largest_tile = 16384;         // bytes, of several transforms
constexpr index_t teams_of_unit = 32;           // that a multiprocessor holds at most

/// Returns how many teams share a multiprocessor. An H100's scratch is taken for that of all.
index_t teams_together(index_t bytes, index_t threads, index_t registers) {
  const index_t room = scratch_of_unit / (bytes + bytes / 32 + place_bytes + scratch_of_team);
  return std::max<index_t>(
      1, std::min({teams_of_unit, room, threads_of_unit / threads, warps_by_registers(registers) / (threads / warp_threads)}));
}

template <class Real>
double cost_of_team(index_t elements, const std::vector<int>& held, index_t threads, index_t registers) {
  const index_t bytes = elements * static_cast<index_t>(sizeof(Complex<Real>));
  double cost = 0;
  for (const int radix : held) {
    const index_t butterflies = ceil_div(elements, static_cast<index_t>(radix));
    const index_t paid = ceil_div(butterflies, threads) * threads;
    cost += cost_of_idle * (static_cast<double>(paid) / static_cast<double>(butterflies) - 1);
  }
  if (!held.empty() && ceil_div(elements, static_cast<index_t>(held.front())) > threads) {
    cost += cost_of_rounds;
  }
  cost += cost_of_doubling * std::max(0.0, std::log2(static_cast<double>(bytes) / small_tile));
  const index_t teams = teams_together(bytes, threads, registers);
  cost += cost_of_absence * std::max(0.0, 1 - static_cast<double>(teams * threads) / enough_threads);
  cost += (teams < 4 ? cost_of_few : 0) + (teams == 1 ? cost_of_one : 0);
  return cost + (threads == warp_threads ? cost_of_a_warp : 0);
}

/// Calls `take` with the threads of teams that may be good for so many elements: of a long transform all from half of the most
/// on, of others those that have one to three rounds of some stage.
template <class Take>
void for_each_team(index_t elements, const std::vector<int>& held, index_t most, bool is_one, const Take& take) {
  for (const int radix : held) {
    for (index_t rounds = 1; rounds <= 3; ++rounds) {
      const index_t threads = full_warps(ceil_div(ceil_div(elements, static_cast<index_t>(radix)), rounds));
      if (threads <= most) {
        take(threads);
      }
    }
  }
  for (index_t threads = most; is_one && threads >= most / 2; threads -= warp_threads) {
    take(threads);
  }
}

}  // namespace

template <class Real>
TeamOfRows team_of_rows(index_t elements, const std::vector<int>& held, index_t registers, index_t most_width) {
  const index_t limit = most_threads_of(registers);
  const index_t widest = std::min(most_width, largest_tile / static_cast<index_t>(sizeof(Complex<Real>)) / elements);
  TeamOfRows best;
  double least = 0;
  for (index_t width = 1; width == 1 || width <= widest; ++width) {
    const index_t most = width == 1 ? limit : std::min(limit, most_threads_of_tiles);
    for_each_team(width * elements, held, most, width == 1, [&](index_t threads) {
      const double cost = cost_of_team<Real>(width * elements, held, threads, registers);
      if (best.threads == 0 || cost < least) {
        least = cost;
        best = {width, threads};
      }
    });
  }
  return best;
}

template TeamOfRows team_of_rows<float>(index_t, const std::vector<int>&, index_t, index_t);
template TeamOfRows team_of_rows<double>(index_t, const std::vector<int>&, index_t, index_t);

}  // namespace phpc::fft
