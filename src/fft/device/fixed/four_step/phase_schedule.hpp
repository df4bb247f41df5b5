#pragma once
#include <cstdint>

#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Counters in device memory by which teams of one launch tell each other how far they are. A thread that reads a count (current)
/// sees what was written before the count was reached (add_one): on the host by acquire and release, which thread sanitizers
/// know, on a GPU by fences beside relaxed accesses.
namespace progress_word {

#if PHPC_GPU_PASS
inline constexpr int add_order = __ATOMIC_RELAXED;
#else
inline constexpr int add_order = __ATOMIC_ACQ_REL;
#endif

[[gnu::always_inline]] inline std::uint32_t add_one(std::uint32_t* word) {
  return __atomic_fetch_add(word, 1U, add_order);
}
[[gnu::always_inline]] inline std::uint32_t current(const std::uint32_t* word) {
#if PHPC_GPU_PASS
  return *static_cast<const volatile std::uint32_t*>(word);
#else
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
#endif
}
/// The fence of a GPU, to be called after current() and before add_one(); nothing elsewhere.
[[gnu::always_inline]] inline void device_fence() {
#if defined(__NVPTX__)
  __nvvm_membar_gl();
#elif defined(__AMDGCN__)
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
#endif
}

}  // namespace progress_word

/// One piece of work of a launch of several phases: a tile of one phase of one transform.
struct PhaseTile {
  int phase;
  int transform;
  int tile;
  int slot;  ///< of the ring of work memory
};

/// How many words a PhaseSchedule has: tickets drawn, transforms done, and for each phase and slot the tiles done there.
constexpr int schedule_words(int phases, int slots) {
  return 2 + phases * slots;
}

/// The order in which the teams of one launch take the tiles of all phases of a batch of transforms, so that what one phase
/// writes is still in the device's cache when the next one reads it: round after round a transform enters phase 0, the one `lag`
/// before it phase 1, and so on, in a ring of work memory for `slots` transforms.
///
/// A tile waits for all tiles of the phase before it, and for the slot it writes to be read out. These have lower tickets (slots
/// > (Phases - 1) * lag), so teams that draw tickets in order always get on, however many of them run at a time.
template <int... Tiles>
struct PhaseSchedule {
  static constexpr int phases = sizeof...(Tiles);
  static constexpr int tiles[phases] = {Tiles...};
  static constexpr int tiles_of_all = (Tiles + ...);

  std::uint32_t* words;  ///< schedule_words(phases, slots) of them, all 0 before the launch and after it
  int batch;
  int lag;  ///< at most batch / (phases - 1), and less than slots / (phases - 1) unless slots >= batch
  int slots;

  /// Draws the next piece of work and waits until what it needs is there. Called by one thread of a team.
  [[gnu::always_inline]] PhaseTile thread_take() const {
    const PhaseTile item = at(progress_word::add_one(words));
    const int generation = item.transform / slots;
    const int before = item.phase == 0 ? phases - 1 : item.phase - 1;
    const auto needed = static_cast<std::uint32_t>(tiles_in(before) * (item.phase == 0 ? generation : generation + 1));
    while (progress_word::current(done(before, item.slot)) < needed) {
    }
    progress_word::device_fence();
    return item;
  }

  /// Tells other teams that the tile's results are written. Called by one thread, after a barrier of the team.
  [[gnu::always_inline]] void thread_finish(const PhaseTile& item) const {
    progress_word::device_fence();
    const std::uint32_t count = progress_word::add_one(done(item.phase, item.slot)) + 1;
    const int generation = item.transform / slots;
    // Once the last phase is done with all transforms, all tickets are drawn and nobody looks at the words any more.
    if (item.phase == phases - 1 && count == static_cast<std::uint32_t>(tiles[phases - 1] * (generation + 1)) &&
        progress_word::add_one(words + 1) + 1 == static_cast<std::uint32_t>(batch)) {
      for (int word = 0; word < schedule_words(phases, slots); ++word) {
        words[word] = 0;
      }
    }
  }

  /// Returns the piece of work of a ticket.
  [[gnu::always_inline]] PhaseTile at(std::uint32_t ticket) const {
    // The rounds fall into runs in which the same phases have work: all begin `lag` rounds apart and end so.
    auto rest = static_cast<int>(ticket);
    PhaseTile item{};
#pragma unroll
    for (int run = 0; run < 2 * phases - 1; ++run) {
      const int begin = run < phases ? run * lag : batch + (run - phases) * lag;
      const int end = run + 1 < phases ? (run + 1) * lag : batch + (run + 1 - phases) * lag;
      const int first = run < phases ? 0 : run - phases + 1;
      const int last = run < phases ? run : phases - 1;
      int each = 0;
#pragma unroll
      for (int phase = first; phase <= last; ++phase) {
        each += tiles[phase];
      }
      const int here = (end - begin) * each;
      if (rest >= 0 && rest < here) {
        const int round = begin + rest / each;
        item.tile = rest % each;
        item.phase = first;
#pragma unroll
        for (int phase = first; phase < last; ++phase) {
          if (item.phase == phase && item.tile >= tiles[phase]) {
            item.tile -= tiles[phase];
            ++item.phase;
          }
        }
        item.transform = round - item.phase * lag;
      }
      rest -= here;
    }
    item.slot = item.transform % slots;
    return item;
  }

 private:
  [[gnu::always_inline]] static int tiles_in(int phase) {
    int count = tiles[0];
#pragma unroll
    for (int p = 1; p < phases; ++p) {
      count = phase == p ? tiles[p] : count;
    }
    return count;
  }
  [[gnu::always_inline]] std::uint32_t* done(int phase, int slot) const { return words + 2 + phase * slots + slot; }
};

}  // namespace phpc::fft
