#pragma once
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The twiddles between the passes of a transform of n elements, exp(-2 pi i t / n), as products of an entry of either table: see
/// PassWork.
template <class Real>
struct TwiddlesBetween {
  using Value = Complex<Real>;

  const Value* fine;  ///< nullptr: none
  const Value* coarse;
  int fine_shift;

  /// Returns the twiddle of t.
  [[gnu::always_inline]] Value at(index_t t) const {
    return coarse[t >> fine_shift] * fine[t & ((index_t{1} << fine_shift) - 1)];
  }

  /// Multiplies v[r] by the twiddle of t + r * hop. Of the two tables each eighth twiddle is read and two powers; the others are
  /// products.
  template <int R>
  [[gnu::always_inline]] void thread_apply(Value (&v)[R], index_t t, index_t hop) const {
    Value low[4];  // powers of the twiddle of `hop`
    low[1] = at(hop);
    low[2] = low[1] * low[1];
    low[3] = low[1] * low[2];
    const Value fourth = R > 4 ? at(4 * hop) : Value{};
    Value high{};
#pragma unroll
    for (int begin = 0; begin < R; begin += 4) {
      high = begin % 8 == 0 ? at(t + begin * hop) : high * fourth;
      v[begin] = v[begin] * high;
#pragma unroll
      for (int r = begin + 1; r < (begin + 4 < R ? begin + 4 : R); ++r) {
        v[r] = v[r] * (high * low[r - begin]);
      }
    }
  }
};

}  // namespace phpc::fft
