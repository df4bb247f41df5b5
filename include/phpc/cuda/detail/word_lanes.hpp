#pragma once
/// Arithmetic on the two half-words or four bytes of a 32-bit word, all lanes at once by operations on the whole word.
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

/// The lanes of a word, of 16 or 8 bits each. The formulas are those of H. S. Warren, Hacker's Delight, chapters 2-1 to 2-19
/// (sums, averages, comparisons, saturation from carries) and of L. Lamport, "Multiple byte processing with full-word
/// instructions" (1975): what must not pass from lane to lane is kept in the lanes' highest bits. `bits` are words of which only
/// these count.
template <int kBits>
struct WordLanes {
  static constexpr unsigned int kOnes = kBits == 8 ? 0x01010101u : 0x00010001u;
  static constexpr unsigned int kHigh = kOnes << (kBits - 1);
  static constexpr unsigned int kLow = ~kHigh;
#if PHPC_CUDA_NVPTX
  static constexpr bool kNvidiaBytes = kBits == 8;
  static constexpr bool kNvidiaPairs = kBits == 16 && __CUDA_ARCH__ >= 900;
#else
  static constexpr bool kNvidiaBytes = false;
  static constexpr bool kNvidiaPairs = false;
#endif
  /// Half-words that clang has one PTX instruction for (add.s16x2, min.u16x2 and so on).
  typedef short Pair __attribute__((vector_size(4)));
  typedef unsigned short UnsignedPair __attribute__((vector_size(4)));

  /// Lanes of ones where bits are set, of zeros elsewhere.
  PHPC_CUDA_FN static unsigned int mask(unsigned int bits) {
#if PHPC_CUDA_NVPTX
    return __nvvm_prmt(bits, 0, kBits == 8 ? 0xba98 : 0xbb99);  // each byte filled with the highest bit of one
#else
    return ((bits & kHigh) << 1) - ((bits & kHigh) >> (kBits - 1));
#endif
  }
  /// 1 where bits are set, 0 elsewhere.
  PHPC_CUDA_FN static unsigned int flags(unsigned int bits) { return (bits & kHigh) >> (kBits - 1); }
  /// At least two of three.
  PHPC_CUDA_FN static unsigned int majority(unsigned int a, unsigned int b, unsigned int c) { return (a & b) | ((a | b) & c); }

  /// The bits of a > b: the carry of a + ~b out of each lane. Numbers with a sign are compared with their highest bits flipped.
  PHPC_CUDA_FN static unsigned int above(unsigned int a, unsigned int b) { return majority(a, ~b, (a & kLow) + (~b & kLow)); }
  PHPC_CUDA_FN static unsigned int above_signed(unsigned int a, unsigned int b) {
    return majority(~a, b, (a & kLow) + (~b & kLow));
  }
  /// The bits of a != b.
  PHPC_CUDA_FN static unsigned int differ(unsigned int a, unsigned int b) { return (((a ^ b) | kHigh) - kOnes) | (a ^ b); }

  PHPC_CUDA_FN static unsigned int add(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return __builtin_bit_cast(unsigned int, __builtin_bit_cast(UnsignedPair, a) + __builtin_bit_cast(UnsignedPair, b));
    }
    return ((a & kLow) + (b & kLow)) ^ ((a ^ b) & kHigh);
  }
  /// The sum, or the greatest number where that overflows: where two of a, b and the sum's complement have their highest bit.
  PHPC_CUDA_FN static unsigned int add_saturated(unsigned int a, unsigned int b) {
    const unsigned int sum = add(a, b);
    return sum | mask(majority(a, b, ~sum));
  }
  /// The sum, or the number that is nearest to it where its sign is neither that of a nor that of b.
  PHPC_CUDA_FN static unsigned int add_saturated_signed(unsigned int a, unsigned int b) {
    const unsigned int sum = add(a, b);
    const unsigned int overflow = mask((sum ^ a) & (sum ^ b));
    return (sum & ~overflow) | ((mask(a) ^ kLow) & overflow);
  }
  // Differences are complements of sums, a - b = ~(~a + b), also where they saturate.
  PHPC_CUDA_FN static unsigned int subtract(unsigned int a, unsigned int b) { return ~add(~a, b); }
  PHPC_CUDA_FN static unsigned int subtract_saturated(unsigned int a, unsigned int b) { return ~add_saturated(~a, b); }
  PHPC_CUDA_FN static unsigned int subtract_saturated_signed(unsigned int a, unsigned int b) {
    return ~add_saturated_signed(~a, b);
  }

  /// The mean, rounded down: what both have, and half of what one has.
  PHPC_CUDA_FN static unsigned int mean_down(unsigned int a, unsigned int b) { return (a & b) + (((a ^ b) >> 1) & kLow); }
  PHPC_CUDA_FN static unsigned int mean_up(unsigned int a, unsigned int b) { return (a | b) - (((a ^ b) >> 1) & kLow); }
  /// The mean, halves rounded away from zero: up where the mean is not negative, that is its highest bit, flipped as a and b, is
  /// set.
  PHPC_CUDA_FN static unsigned int mean_signed(unsigned int a, unsigned int b) {
    const unsigned int down = mean_down(a ^ kHigh, b ^ kHigh);
    return (down + ((down >> (kBits - 1)) & (a ^ b) & kOnes)) ^ kHigh;
  }

  PHPC_CUDA_FN static unsigned int min(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return __builtin_bit_cast(
          unsigned int, __builtin_elementwise_min(__builtin_bit_cast(UnsignedPair, a), __builtin_bit_cast(UnsignedPair, b)));
    }
    return a ^ ((a ^ b) & mask(above(a, b)));
  }
  PHPC_CUDA_FN static unsigned int max(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return __builtin_bit_cast(
          unsigned int, __builtin_elementwise_max(__builtin_bit_cast(UnsignedPair, a), __builtin_bit_cast(UnsignedPair, b)));
    }
    return b ^ ((a ^ b) & mask(above(a, b)));
  }
  PHPC_CUDA_FN static unsigned int min_signed(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return __builtin_bit_cast(unsigned int,
                                __builtin_elementwise_min(__builtin_bit_cast(Pair, a), __builtin_bit_cast(Pair, b)));
    }
    return a ^ ((a ^ b) & mask(above_signed(a, b)));
  }
  PHPC_CUDA_FN static unsigned int max_signed(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return __builtin_bit_cast(unsigned int,
                                __builtin_elementwise_max(__builtin_bit_cast(Pair, a), __builtin_bit_cast(Pair, b)));
    }
    return b ^ ((a ^ b) & mask(above_signed(a, b)));
  }

  /// |a - b|, and with each number's highest bit flipped |a - b| of numbers with a sign.
  PHPC_CUDA_FN static unsigned int distance(unsigned int a, unsigned int b) {
#if PHPC_CUDA_NVPTX
    if constexpr (kNvidiaBytes) {
      unsigned int result;
      __asm__("vabsdiff4.u32.u32.u32 %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0));
      return result;
    }
#endif
    return max(a, b) - min(a, b);
  }
  PHPC_CUDA_FN static unsigned int distance_signed(unsigned int a, unsigned int b) { return distance(a ^ kHigh, b ^ kHigh); }
  /// The sum of all lanes' |a - b|.
  PHPC_CUDA_FN static unsigned int total_distance(unsigned int a, unsigned int b) {
#if PHPC_CUDA_NVPTX
    if constexpr (kNvidiaBytes) {
      unsigned int result;
      __asm__("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(result) : "r"(a), "r"(b), "r"(0));
      return result;
    }
#endif
    unsigned int sums = distance(a, b);
    if constexpr (kBits == 8) {
      sums = (sums & 0x00ff00ffu) + ((sums >> 8) & 0x00ff00ffu);
    }
    return (sums & 0xffffu) + (sums >> 16);
  }
  PHPC_CUDA_FN static unsigned int total_distance_signed(unsigned int a, unsigned int b) {
    return total_distance(a ^ kHigh, b ^ kHigh);
  }

  /// |a|, where the least number stays itself: it has no carry into the next lane.
  PHPC_CUDA_FN static unsigned int magnitude(unsigned int a) {
    if constexpr (kNvidiaBytes) {
      return distance_signed(a, 0);
    }
    const unsigned int negative = mask(a);
    return (a ^ negative) + (negative & kOnes);
  }
  PHPC_CUDA_FN static unsigned int magnitude_saturated(unsigned int a) {
    const unsigned int result = magnitude(a);
    return result ^ mask(result);
  }
  PHPC_CUDA_FN static unsigned int negated(unsigned int a) { return subtract(0, a); }
  PHPC_CUDA_FN static unsigned int negated_saturated(unsigned int a) {
    const unsigned int result = negated(a);
    return result ^ mask(result & a);  // both are negative for the least number alone
  }
};

}  // namespace phpc::cuda::detail

PHPC_CUDA_END
