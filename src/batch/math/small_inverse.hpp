#pragma once
#include "batch/math/value.hpp"

namespace phpc::batch {

/// Exchanges a and b where the mask holds.
template <class Value>
[[gnu::always_inline]] inline void exchange(MaskOf<Value> mask, Value& a, Value& b) {
  const Value kept = a;
  a = select(mask, b, a);
  b = select(mask, kept, b);
}

/// x = d^-1 x, by elimination with partial pivoting in registers; a column of the inverse if x is a column of the unit matrix. d
/// is overwritten. A singular d leaves elements that are not finite.
template <class Value, int Count>
[[gnu::always_inline]] inline void inverse_column(Value (&d)[Count][Count], Value (&x)[Count]) {
  Value reciprocal[Count];
#pragma unroll
  for (int k = 0; k < Count; ++k) {
#pragma unroll
    for (int i = k + 1; i < Count; ++i) {
      const MaskOf<Value> larger = magnitude(d[i][k]) > magnitude(d[k][k]);
#pragma unroll
      for (int j = k; j < Count; ++j) {
        exchange(larger, d[i][j], d[k][j]);
      }
      exchange(larger, x[i], x[k]);
    }
    reciprocal[k] = ScalarOf<Value>{1} / d[k][k];
#pragma unroll
    for (int i = k + 1; i < Count; ++i) {
      const Value factor = d[i][k] * reciprocal[k];
#pragma unroll
      for (int j = k + 1; j < Count; ++j) {
        d[i][j] -= factor * d[k][j];
      }
      x[i] -= factor * x[k];
    }
  }
#pragma unroll
  for (int k = Count - 1; k >= 0; --k) {
#pragma unroll
    for (int j = k + 1; j < Count; ++j) {
      x[k] -= d[k][j] * x[j];
    }
    x[k] *= reciprocal[k];
  }
}

}  // namespace phpc::batch
