#pragma once
/// CUDA's functions on the two half-words (names ending in 2) or four bytes (in 4) of a 32-bit word, and the minima and maxima of
/// three and of sums.
#include "phpc/cuda/detail/integer_intrinsics.hpp"
#include "phpc/cuda/detail/word_lanes.hpp"
#include "phpc/cuda/math.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

#if PHPC_CUDA_NVPTX
#include "phpc/cuda/detail/lane_names.inc"
#endif
// A function for half-words and for bytes: NAME2 and NAME4, whose result is EXPRESSION of a and b and of functions of Lanes.
#define PHPC_CUDA_LANES_OF(NAME, BITS, PARAMETERS, ...) \
  PHPC_CUDA_FN unsigned int NAME PARAMETERS {           \
    using Lanes = phpc::cuda::detail::WordLanes<BITS>;  \
    return Lanes::__VA_ARGS__;                          \
  }
#define PHPC_CUDA_LANES(NAME, ...)                                               \
  PHPC_CUDA_LANES_OF(NAME##2, 16, (unsigned int a, unsigned int b), __VA_ARGS__) \
  PHPC_CUDA_LANES_OF(NAME##4, 8, (unsigned int a, unsigned int b), __VA_ARGS__)
#define PHPC_CUDA_LANES_ONE(NAME, EXPRESSION)                   \
  PHPC_CUDA_LANES_OF(NAME##2, 16, (unsigned int a), EXPRESSION) \
  PHPC_CUDA_LANES_OF(NAME##4, 8, (unsigned int a), EXPRESSION)
// Comparisons: a mask of all bits, and 0 or 1.
#define PHPC_CUDA_LANES_COMPARE(NAME, ...)         \
  PHPC_CUDA_LANES(__vcmp##NAME, mask(__VA_ARGS__)) \
  PHPC_CUDA_LANES(__vset##NAME, flags(__VA_ARGS__))

PHPC_CUDA_LANES(__vadd, add(a, b))
PHPC_CUDA_LANES(__vsub, subtract(a, b))
PHPC_CUDA_LANES(__vaddss, add_saturated_signed(a, b))
PHPC_CUDA_LANES(__vaddus, add_saturated(a, b))
PHPC_CUDA_LANES(__vsubss, subtract_saturated_signed(a, b))
PHPC_CUDA_LANES(__vsubus, subtract_saturated(a, b))
PHPC_CUDA_LANES(__vabsdiffs, distance_signed(a, b))
PHPC_CUDA_LANES(__vabsdiffu, distance(a, b))
PHPC_CUDA_LANES(__vmins, min_signed(a, b))
PHPC_CUDA_LANES(__vminu, min(a, b))
PHPC_CUDA_LANES(__vmaxs, max_signed(a, b))
PHPC_CUDA_LANES(__vmaxu, max(a, b))
PHPC_CUDA_LANES(__vavgs, mean_signed(a, b))
PHPC_CUDA_LANES(__vavgu, mean_up(a, b))
PHPC_CUDA_LANES(__vhaddu, mean_down(a, b))
PHPC_CUDA_LANES(__vsads, total_distance_signed(a, b))
PHPC_CUDA_LANES(__vsadu, total_distance(a, b))
PHPC_CUDA_LANES_ONE(__vabs, magnitude(a))
PHPC_CUDA_LANES_ONE(__vabsss, magnitude_saturated(a))
PHPC_CUDA_LANES_ONE(__vneg, negated(a))
PHPC_CUDA_LANES_ONE(__vnegss, negated_saturated(a))
PHPC_CUDA_LANES_COMPARE(eq, Lanes::equal(a, b))
PHPC_CUDA_LANES_COMPARE(ne, Lanes::differ(a, b))
PHPC_CUDA_LANES_COMPARE(ges, ~Lanes::above_signed(b, a))
PHPC_CUDA_LANES_COMPARE(geu, ~Lanes::above(b, a))
PHPC_CUDA_LANES_COMPARE(gts, Lanes::above_signed(a, b))
PHPC_CUDA_LANES_COMPARE(gtu, Lanes::above(a, b))
PHPC_CUDA_LANES_COMPARE(les, ~Lanes::above_signed(a, b))
PHPC_CUDA_LANES_COMPARE(leu, ~Lanes::above(a, b))
PHPC_CUDA_LANES_COMPARE(lts, Lanes::above_signed(b, a))
PHPC_CUDA_LANES_COMPARE(ltu, Lanes::above(b, a))
#undef PHPC_CUDA_LANES_OF
#undef PHPC_CUDA_LANES
#undef PHPC_CUDA_LANES_ONE
#undef PHPC_CUDA_LANES_COMPARE

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
