#pragma once
/// What CUDA's two 16-bit floating-point types have in common inside: steps between neighbours, and roundings to them.
#include "phpc/cuda/atomics.hpp"
#include "phpc/cuda/intrinsics.hpp"
#include "phpc/cuda/rounding.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

/// The value high + low (low: what the rounded sum high lost, or 0) as a float "rounded to odd": an inexact result has its last
/// bit set, so that a second rounding to 16 bits is the same as one rounding of the exact value.
inline float odd_float(double high, double low) {
  const float cut = round_to_float(high, low, Round::rz);
  const bool exact = high != high || (static_cast<double>(cut) == high && low == 0);
  return exact ? cut : __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, cut) | 1u);
}

/// An integer as a float rounded to odd.
template <class Integer>
inline float odd_float_of(Integer value) {
  const float cut = from_integer<float>(value, Round::rz);
  return static_cast<Integer>(cut) == value ? cut : __builtin_bit_cast(float, __builtin_bit_cast(unsigned int, cut) | 1u);
}

/// Moves the bits of the 16-bit number nearest to an exact value to the neighbour that `mode` asks for; error: the exact value
/// less it.
PHPC_CUDA_FN unsigned short step_bits(unsigned short bits, double error, Round mode) {
  const bool zero = (bits & 0x7fffu) == 0;
  const bool negative = zero ? error < 0 : (bits & 0x8000u) != 0;
  if (mode == Round::rz) {
    mode = negative ? Round::ru : Round::rd;
  }
  if (mode == Round::ru && error > 0) {
    return static_cast<unsigned short>(zero ? 0x0001u : negative ? bits - 1u : bits + 1u);
  }
  if (mode == Round::rd && error < 0) {
    return static_cast<unsigned short>(zero ? 0x8001u : negative ? bits + 1u : bits - 1u);
  }
  return bits;
}

}  // namespace phpc::cuda::detail

PHPC_CUDA_END
