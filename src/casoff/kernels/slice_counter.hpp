#pragma once
#include "casoff/kernels/slot_word.hpp"

/// Device code: bit-sliced counters, of `Slices` bits for each slot of a word.
namespace phpc::casoff {

/// Counts mismatches from a start that makes the largest permitted count all ones: one more carries out of the last slice, and
/// `over` remembers it, so that the comparison with the threshold costs nothing. Bits are added by carry-save adders (Harley and
/// Seal; Warren, Hacker's Delight 5-1): eight bits at a time cost 4 + 2 + 1 full adders.
template <int Lanes, int Slices>
struct SliceCounter {
  using Word = SlotWord<Lanes>;
  Word slice[Slices];
  Word over;

  [[gnu::always_inline]] explicit SliceCounter(unsigned start) : over{} {
#pragma GCC unroll 8
    for (int bit = 0; bit < Slices; ++bit) {
      slice[bit] = exec::broadcast<Lanes>(-static_cast<std::uint64_t>((start >> bit) & 1U));
    }
  }

  [[gnu::always_inline]] void add(const Word& a, const Word& b, const Word& c, const Word& d) {
    const Word first = full_add(slice[0], a, b);
    const Word second = full_add(slice[0], c, d);
    carry<2>(full_add(slice[1], first, second));
  }

  [[gnu::always_inline]] void add(const Word& a, const Word& b, const Word& c, const Word& d, const Word& e, const Word& f,
                                  const Word& g, const Word& h) {
    const Word first = full_add(slice[0], a, b);
    const Word second = full_add(slice[0], c, d);
    const Word low = full_add(slice[1], first, second);
    const Word third = full_add(slice[0], e, f);
    const Word fourth = full_add(slice[0], g, h);
    const Word high = full_add(slice[1], third, fourth);
    if constexpr (Slices > 2) {
      carry<3>(full_add(slice[2], low, high));
    } else {
      over |= low | high;
    }
  }

  /// The counter of one slot that is not over, its start included.
  [[nodiscard, gnu::always_inline]] unsigned value(int lane, int bit) const {
    unsigned count = 0;
#pragma GCC unroll 8
    for (int i = 0; i < Slices; ++i) {
      count |= static_cast<unsigned>((exec::lane_of(slice[i], lane) >> bit) & 1U) << i;
    }
    return count;
  }

 private:
  template <int Level>
  [[gnu::always_inline]] void carry(const Word& bit) {
    if constexpr (Level >= Slices) {
      over |= bit;
    } else {
      const Word up = slice[Level] & bit;
      slice[Level] ^= bit;
      carry<Level + 1>(up);
    }
  }
};

}  // namespace phpc::casoff
