#pragma once
/// CUDA's functions on the two half-words (names ending in 2) or four bytes (in 4) of a 32-bit word, and the minima and maxima of
/// three and of sums.
#include "phpc/cuda/detail/integer_intrinsics.hpp"
#include "phpc/cuda/math.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

/// The word whose lanes are function(lane of a, lane of b).
template <class Lane, class Function>
PHPC_CUDA_FN unsigned int map_lanes(unsigned int a, unsigned int b, Function function) {
  constexpr int kBits = 8 * static_cast<int>(sizeof(Lane));
  unsigned int result = 0;
  for (int i = 0; i < 32 / kBits; ++i) {
    const auto lane = static_cast<std::make_unsigned_t<Lane>>(function(lane_of<Lane>(a, i), lane_of<Lane>(b, i)));
    result |= static_cast<unsigned int>(lane) << (kBits * i);
  }
  return result;
}

/// The sum of function(lane of a, lane of b).
template <class Lane, class Function>
PHPC_CUDA_FN unsigned int sum_lanes(unsigned int a, unsigned int b, Function function) {
  unsigned int sum = 0;
  for (int i = 0; i < 4 / static_cast<int>(sizeof(Lane)); ++i) {
    sum += static_cast<unsigned int>(function(lane_of<Lane>(a, i), lane_of<Lane>(b, i)));
  }
  return sum;
}

/// A value kept to the range of Lane.
template <class Lane>
PHPC_CUDA_FN int saturated(int value) {
  constexpr int kLeast = std::numeric_limits<Lane>::min();
  constexpr int kGreatest = std::numeric_limits<Lane>::max();
  return value < kLeast ? kLeast : value > kGreatest ? kGreatest : value;
}

}  // namespace phpc::cuda::detail

#if !PHPC_CUDA_NVPTX
// A function for half-words and for bytes: NAME2 and NAME4 of lanes of type HALF and BYTE, whose result is EXPRESSION of x and y.
#define PHPC_CUDA_LANES_OF(NAME, LANE, EXPRESSION)                                             \
  PHPC_CUDA_FN unsigned int NAME(unsigned int a, unsigned int b) {                             \
    using Lane = LANE;                                                                         \
    return phpc::cuda::detail::map_lanes<Lane>(a, b, [](int x, int y) { return EXPRESSION; }); \
  }
#define PHPC_CUDA_LANES(NAME, SIGN, EXPRESSION)       \
  PHPC_CUDA_LANES_OF(NAME##2, SIGN short, EXPRESSION) \
  PHPC_CUDA_LANES_OF(NAME##4, SIGN char, EXPRESSION)
#define PHPC_CUDA_LANES_ONE_OF(NAME, LANE, EXPRESSION)                                       \
  PHPC_CUDA_FN unsigned int NAME(unsigned int a) {                                           \
    using Lane = LANE;                                                                       \
    return phpc::cuda::detail::map_lanes<Lane>(a, a, [](int x, int) { return EXPRESSION; }); \
  }
#define PHPC_CUDA_LANES_ONE(NAME, EXPRESSION)               \
  PHPC_CUDA_LANES_ONE_OF(NAME##2, signed short, EXPRESSION) \
  PHPC_CUDA_LANES_ONE_OF(NAME##4, signed char, EXPRESSION)
// Comparisons: a mask of all bits, and 0 or 1.
#define PHPC_CUDA_LANES_COMPARE(NAME, SIGN, OPERATOR)        \
  PHPC_CUDA_LANES(__vcmp##NAME, SIGN, x OPERATOR y ? -1 : 0) \
  PHPC_CUDA_LANES(__vset##NAME, SIGN, x OPERATOR y ? 1 : 0)
#define PHPC_CUDA_LANES_SUM(NAME, SIGN)                                                                         \
  PHPC_CUDA_FN unsigned int NAME##2(unsigned int a, unsigned int b) {                                           \
    return phpc::cuda::detail::sum_lanes<SIGN short>(a, b, [](int x, int y) { return x > y ? x - y : y - x; }); \
  }                                                                                                             \
  PHPC_CUDA_FN unsigned int NAME##4(unsigned int a, unsigned int b) {                                           \
    return phpc::cuda::detail::sum_lanes<SIGN char>(a, b, [](int x, int y) { return x > y ? x - y : y - x; });  \
  }

PHPC_CUDA_LANES(__vadd, unsigned, x + y)
PHPC_CUDA_LANES(__vsub, unsigned, x - y)
PHPC_CUDA_LANES(__vaddss, signed, phpc::cuda::detail::saturated<Lane>(x + y))
PHPC_CUDA_LANES(__vaddus, unsigned, phpc::cuda::detail::saturated<Lane>(x + y))
PHPC_CUDA_LANES(__vsubss, signed, phpc::cuda::detail::saturated<Lane>(x - y))
PHPC_CUDA_LANES(__vsubus, unsigned, phpc::cuda::detail::saturated<Lane>(x - y))
PHPC_CUDA_LANES(__vabsdiffs, signed, x > y ? x - y : y - x)
PHPC_CUDA_LANES(__vabsdiffu, unsigned, x > y ? x - y : y - x)
PHPC_CUDA_LANES(__vmins, signed, x < y ? x : y)
PHPC_CUDA_LANES(__vminu, unsigned, x < y ? x : y)
PHPC_CUDA_LANES(__vmaxs, signed, x > y ? x : y)
PHPC_CUDA_LANES(__vmaxu, unsigned, x > y ? x : y)
PHPC_CUDA_LANES(__vavgs, signed, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)
PHPC_CUDA_LANES(__vavgu, unsigned, (x + y + 1) >> 1)
PHPC_CUDA_LANES(__vhaddu, unsigned, (x + y) >> 1)
PHPC_CUDA_LANES_ONE(__vabs, x < 0 ? -x : x)
PHPC_CUDA_LANES_ONE(__vabsss, phpc::cuda::detail::saturated<Lane>(x < 0 ? -x : x))
PHPC_CUDA_LANES_ONE(__vneg, -x)
PHPC_CUDA_LANES_ONE(__vnegss, phpc::cuda::detail::saturated<Lane>(-x))
PHPC_CUDA_LANES_COMPARE(eq, unsigned, ==)
PHPC_CUDA_LANES_COMPARE(ne, unsigned, !=)
PHPC_CUDA_LANES_COMPARE(ges, signed, >=)
PHPC_CUDA_LANES_COMPARE(geu, unsigned, >=)
PHPC_CUDA_LANES_COMPARE(gts, signed, >)
PHPC_CUDA_LANES_COMPARE(gtu, unsigned, >)
PHPC_CUDA_LANES_COMPARE(les, signed, <=)
PHPC_CUDA_LANES_COMPARE(leu, unsigned, <=)
PHPC_CUDA_LANES_COMPARE(lts, signed, <)
PHPC_CUDA_LANES_COMPARE(ltu, unsigned, <)
PHPC_CUDA_LANES_SUM(__vsads, signed)
PHPC_CUDA_LANES_SUM(__vsadu, unsigned)
#undef PHPC_CUDA_LANES_OF
#undef PHPC_CUDA_LANES
#undef PHPC_CUDA_LANES_ONE_OF
#undef PHPC_CUDA_LANES_ONE
#undef PHPC_CUDA_LANES_COMPARE
#undef PHPC_CUDA_LANES_SUM
#endif

// Of three numbers, or of a sum (modulo 2^32 or 2^16) and a number; with _relu not below 0. The vib functions tell whether the
// first was taken.
PHPC_CUDA_FN int __vimin3_s32(int a, int b, int c) {
  return min(min(a, b), c);
}
PHPC_CUDA_FN unsigned int __vimin3_u32(unsigned int a, unsigned int b, unsigned int c) {
  return min(min(a, b), c);
}
PHPC_CUDA_FN int __vimin3_s32_relu(int a, int b, int c) {
  return max(min(min(a, b), c), 0);
}
PHPC_CUDA_FN int __vimin_s32_relu(int a, int b) {
  return max(min(a, b), 0);
}
PHPC_CUDA_FN int __viaddmin_s32(int a, int b, int c) {
  return min(static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)), c);
}
PHPC_CUDA_FN unsigned int __viaddmin_u32(unsigned int a, unsigned int b, unsigned int c) {
  return min(a + b, c);
}
PHPC_CUDA_FN int __viaddmin_s32_relu(int a, int b, int c) {
  return max(__viaddmin_s32(a, b, c), 0);
}
PHPC_CUDA_FN unsigned int __vimin3_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmins2(__vmins2(a, b), c);
}
PHPC_CUDA_FN unsigned int __vimin3_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vminu2(__vminu2(a, b), c);
}
PHPC_CUDA_FN unsigned int __vimin3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vmins2(__vmins2(a, b), c), 0);
}
PHPC_CUDA_FN unsigned int __vimin_s16x2_relu(unsigned int a, unsigned int b) {
  return __vmaxs2(__vmins2(a, b), 0);
}
PHPC_CUDA_FN unsigned int __viaddmin_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmins2(__vadd2(a, b), c);
}
PHPC_CUDA_FN unsigned int __viaddmin_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vminu2(__vadd2(a, b), c);
}
PHPC_CUDA_FN unsigned int __viaddmin_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vmins2(__vadd2(a, b), c), 0);
}
PHPC_CUDA_FN int __vibmin_s32(int a, int b, bool* first) {
  *first = a <= b;
  return min(a, b);
}
PHPC_CUDA_FN unsigned int __vibmin_u32(unsigned int a, unsigned int b, bool* first) {
  *first = a <= b;
  return min(a, b);
}
PHPC_CUDA_FN unsigned int __vibmin_s16x2(unsigned int a, unsigned int b, bool* first_high, bool* first_low) {
  *first_low = phpc::cuda::detail::lane_of<short>(a, 0) <= phpc::cuda::detail::lane_of<short>(b, 0);
  *first_high = phpc::cuda::detail::lane_of<short>(a, 1) <= phpc::cuda::detail::lane_of<short>(b, 1);
  return __vmins2(a, b);
}
PHPC_CUDA_FN unsigned int __vibmin_u16x2(unsigned int a, unsigned int b, bool* first_high, bool* first_low) {
  *first_low = phpc::cuda::detail::lane_of<unsigned short>(a, 0) <= phpc::cuda::detail::lane_of<unsigned short>(b, 0);
  *first_high = phpc::cuda::detail::lane_of<unsigned short>(a, 1) <= phpc::cuda::detail::lane_of<unsigned short>(b, 1);
  return __vminu2(a, b);
}

PHPC_CUDA_FN int __vimax3_s32(int a, int b, int c) {
  return max(max(a, b), c);
}
PHPC_CUDA_FN unsigned int __vimax3_u32(unsigned int a, unsigned int b, unsigned int c) {
  return max(max(a, b), c);
}
PHPC_CUDA_FN int __vimax3_s32_relu(int a, int b, int c) {
  return max(max(max(a, b), c), 0);
}
PHPC_CUDA_FN int __vimax_s32_relu(int a, int b) {
  return max(max(a, b), 0);
}
PHPC_CUDA_FN int __viaddmax_s32(int a, int b, int c) {
  return max(static_cast<int>(static_cast<unsigned int>(a) + static_cast<unsigned int>(b)), c);
}
PHPC_CUDA_FN unsigned int __viaddmax_u32(unsigned int a, unsigned int b, unsigned int c) {
  return max(a + b, c);
}
PHPC_CUDA_FN int __viaddmax_s32_relu(int a, int b, int c) {
  return max(__viaddmax_s32(a, b, c), 0);
}
PHPC_CUDA_FN unsigned int __vimax3_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vmaxs2(a, b), c);
}
PHPC_CUDA_FN unsigned int __vimax3_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxu2(__vmaxu2(a, b), c);
}
PHPC_CUDA_FN unsigned int __vimax3_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vmaxs2(__vmaxs2(a, b), c), 0);
}
PHPC_CUDA_FN unsigned int __vimax_s16x2_relu(unsigned int a, unsigned int b) {
  return __vmaxs2(__vmaxs2(a, b), 0);
}
PHPC_CUDA_FN unsigned int __viaddmax_s16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vadd2(a, b), c);
}
PHPC_CUDA_FN unsigned int __viaddmax_u16x2(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxu2(__vadd2(a, b), c);
}
PHPC_CUDA_FN unsigned int __viaddmax_s16x2_relu(unsigned int a, unsigned int b, unsigned int c) {
  return __vmaxs2(__vmaxs2(__vadd2(a, b), c), 0);
}
PHPC_CUDA_FN int __vibmax_s32(int a, int b, bool* first) {
  *first = a >= b;
  return max(a, b);
}
PHPC_CUDA_FN unsigned int __vibmax_u32(unsigned int a, unsigned int b, bool* first) {
  *first = a >= b;
  return max(a, b);
}
PHPC_CUDA_FN unsigned int __vibmax_s16x2(unsigned int a, unsigned int b, bool* first_high, bool* first_low) {
  *first_low = phpc::cuda::detail::lane_of<short>(a, 0) >= phpc::cuda::detail::lane_of<short>(b, 0);
  *first_high = phpc::cuda::detail::lane_of<short>(a, 1) >= phpc::cuda::detail::lane_of<short>(b, 1);
  return __vmaxs2(a, b);
}
PHPC_CUDA_FN unsigned int __vibmax_u16x2(unsigned int a, unsigned int b, bool* first_high, bool* first_low) {
  *first_low = phpc::cuda::detail::lane_of<unsigned short>(a, 0) >= phpc::cuda::detail::lane_of<unsigned short>(b, 0);
  *first_high = phpc::cuda::detail::lane_of<unsigned short>(a, 1) >= phpc::cuda::detail::lane_of<unsigned short>(b, 1);
  return __vmaxu2(a, b);
}

PHPC_CUDA_END
