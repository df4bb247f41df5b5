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
  /// Whether an NVIDIA GPU has instructions for these lanes: the absolute difference of bytes (vabsdiff4), or sums, minima and
  /// maxima of half-words (add.s16x2 and its kin, PTX 8.0).
#if PHPC_CUDA_NVPTX
  static constexpr bool kNvidiaBytes = kBits == 8;
  static constexpr bool kNvidiaPairs = kBits == 16 && __CUDA_ARCH__ >= 900;
#else
  static constexpr bool kNvidiaBytes = false;
  static constexpr bool kNvidiaPairs = false;
#endif
  /// Two half-words as a vector of clang's.
  typedef short Pair __attribute__((vector_size(4)));
  typedef unsigned short UnsignedPair __attribute__((vector_size(4)));
  /// Function of half-words, for those that clang has one PTX instruction for (add.s16x2, min.u16x2 and so on).
  template <class Halves, class Function>
  PHPC_CUDA_FN static unsigned int of_pairs(unsigned int a, unsigned int b, Function function) {
    return __builtin_bit_cast(unsigned int, function(__builtin_bit_cast(Halves, a), __builtin_bit_cast(Halves, b)));
  }

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
  /// The word of function(bits of a, b and c): on NVIDIA's GPUs one instruction, which takes function's table.
  template <class Function>
  PHPC_CUDA_FN static unsigned int bitwise(unsigned int a, unsigned int b, unsigned int c, Function function) {
#if PHPC_CUDA_NVPTX
    constexpr unsigned int kTable = Function{}(0xf0u, 0xccu, 0xaau) & 0xffu;
    unsigned int result;
    __asm__("lop3.b32 %0, %1, %2, %3, %4;" : "=r"(result) : "r"(a), "r"(b), "r"(c), "n"(kTable));
    return result;
#else
    return function(a, b, c);
#endif
  }
  /// At least two of three.
  PHPC_CUDA_FN static constexpr unsigned int majority(unsigned int a, unsigned int b, unsigned int c) {
    return (a & b) | ((a | b) & c);
  }
  /// a where mask is 1, b where it is 0.
  PHPC_CUDA_FN static unsigned int select(unsigned int mask, unsigned int a, unsigned int b) {
    return bitwise(mask, a, b, [](unsigned int m, unsigned int x, unsigned int y) { return y ^ ((x ^ y) & m); });
  }

  /// Half of each lane, rounded down. On NVIDIA's GPUs clang may not shift first, so that shift and sum are one instruction.
  PHPC_CUDA_FN static unsigned int half(unsigned int a) {
#if PHPC_CUDA_NVPTX
    unsigned int even;
    __asm__("and.b32 %0, %1, %2;" : "=r"(even) : "r"(a), "n"(~kOnes));
    return even >> 1;
#else
    return (a & ~kOnes) >> 1;
#endif
  }

  /// The mean, rounded down: what both have, and half of what one has.
  PHPC_CUDA_FN static unsigned int mean_down(unsigned int a, unsigned int b) { return (a & b) + half(a ^ b); }
  PHPC_CUDA_FN static unsigned int mean_up(unsigned int a, unsigned int b) { return (a | b) - half(a ^ b); }
  /// The mean, halves rounded away from zero: up where the mean is not negative, that is its highest bit, flipped as those of a
  /// and b, is set.
  PHPC_CUDA_FN static unsigned int mean_signed(unsigned int a, unsigned int b) {
    const unsigned int down = ((a ^ kHigh) & (b ^ kHigh)) + half(a ^ b);
    return (down + ((down >> (kBits - 1)) & (a ^ b) & kOnes)) ^ kHigh;
  }

  /// The bits of a > b: the carry of a + ~b out of each lane, which is the highest bit of their mean, rounded down. Of numbers
  /// with a sign, the highest bits are flipped.
  PHPC_CUDA_FN static unsigned int above(unsigned int a, unsigned int b) { return (a & ~b) + half(a ^ ~b); }
  PHPC_CUDA_FN static unsigned int above_signed(unsigned int a, unsigned int b) {
    return bitwise(a, b, kHigh, [](unsigned int x, unsigned int y, unsigned int high) { return (x ^ high) & ~(y ^ high); }) +
           half(a ^ ~b);
  }
  /// The bits of a != b: a bit of theirs, or no borrow from the highest one.
  PHPC_CUDA_FN static unsigned int differ(unsigned int a, unsigned int b) { return (((a ^ b) | kHigh) - kOnes) | (a ^ b); }
  PHPC_CUDA_FN static unsigned int equal(unsigned int a, unsigned int b) { return (kOnes - 1 - ((a ^ b) | kHigh)) & ~(a ^ b); }

  PHPC_CUDA_FN static unsigned int add(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return of_pairs<UnsignedPair>(a, b, [](auto x, auto y) { return x + y; });
    }
    return ((a & kLow) + (b & kLow)) ^ ((a ^ b) & kHigh);
  }
  PHPC_CUDA_FN static unsigned int subtract(unsigned int a, unsigned int b) {
#if PHPC_CUDA_NVPTX
    if constexpr (kNvidiaPairs) {  // the negations go into the sum
      unsigned int result;
      __asm__(
          "{ .reg .b16 low, high; .reg .b32 negated; mov.b32 {low, high}, %2; neg.s16 low, low; neg.s16 high, high; "
          "mov.b32 negated, {low, high}; add.s16x2 %0, %1, negated; }"
          : "=r"(result)
          : "r"(a), "r"(b));
      return result;
    }
#endif
    return ((a | kHigh) - (b & kLow)) ^ (~(a ^ b) & kHigh);
  }
  /// The sum, or the greatest number where that overflows: where two of a, b and the sum's complement have their highest bit.
  PHPC_CUDA_FN static unsigned int add_saturated(unsigned int a, unsigned int b) {
    const unsigned int sum = add(a, b);
    return sum | mask(bitwise(a, b, sum, [](unsigned int x, unsigned int y, unsigned int z) { return majority(x, y, ~z); }));
  }
  PHPC_CUDA_FN static unsigned int subtract_saturated(unsigned int a, unsigned int b) {
    const unsigned int rest = subtract(a, b);
    return rest & mask(bitwise(a, b, rest, [](unsigned int x, unsigned int y, unsigned int z) { return majority(x, ~y, ~z); }));
  }
  /// The sum, or the number nearest to it where its sign is neither that of a nor that of b.
  PHPC_CUDA_FN static unsigned int add_saturated_signed(unsigned int a, unsigned int b) {
    const unsigned int sum = add(a, b);
    const unsigned int overflow =
        bitwise(a, b, sum, [](unsigned int x, unsigned int y, unsigned int z) { return (x ^ z) & (y ^ z); });
    return select(mask(overflow), mask(a) ^ kLow, sum);
  }
  PHPC_CUDA_FN static unsigned int subtract_saturated_signed(unsigned int a, unsigned int b) {
    const unsigned int rest = subtract(a, b);
    const unsigned int overflow =
        bitwise(a, b, rest, [](unsigned int x, unsigned int y, unsigned int z) { return (x ^ y) & (x ^ z); });
    return select(mask(overflow), mask(a) ^ kLow, rest);
  }

  PHPC_CUDA_FN static unsigned int min(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return of_pairs<UnsignedPair>(a, b, [](auto x, auto y) { return __builtin_elementwise_min(x, y); });
    }
    return select(mask(above(a, b)), b, a);
  }
  PHPC_CUDA_FN static unsigned int max(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return of_pairs<UnsignedPair>(a, b, [](auto x, auto y) { return __builtin_elementwise_max(x, y); });
    }
    return select(mask(above(a, b)), a, b);
  }
  PHPC_CUDA_FN static unsigned int min_signed(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return of_pairs<Pair>(a, b, [](auto x, auto y) { return __builtin_elementwise_min(x, y); });
    }
    return select(mask(above_signed(a, b)), b, a);
  }
  PHPC_CUDA_FN static unsigned int max_signed(unsigned int a, unsigned int b) {
    if constexpr (kNvidiaPairs) {
      return of_pairs<Pair>(a, b, [](auto x, auto y) { return __builtin_elementwise_max(x, y); });
    }
    return select(mask(above_signed(a, b)), a, b);
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
  PHPC_CUDA_FN static unsigned int negated(unsigned int a) { return add(~a, kOnes); }
  PHPC_CUDA_FN static unsigned int negated_saturated(unsigned int a) {
    const unsigned int result = negated(a);
    return result ^ mask(result & a);  // both are negative for the least number alone
  }
};

}  // namespace phpc::cuda::detail

PHPC_CUDA_END
