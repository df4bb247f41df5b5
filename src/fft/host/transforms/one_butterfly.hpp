#pragma once
#include <utility>

#include "fft/math/butterflies.hpp"

namespace phpc::fft {

/// The lengths of dense lines that are transformed by one butterfly. Beyond 16 elements it has more of them than there are
/// registers, and the compiler spills some; stages would store and load all.
using OneButterflyLengths =
    std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 18, 20, 21, 22, 24, 25, 26, 27, 28, 30>;

/// Replaces v by its transform: butterfly(), and products of two radices that are no radices of stages.
template <int R, class Value>
[[gnu::always_inline]] constexpr void line_butterfly(Value (&v)[R]) {
  if constexpr (R == 24) {
    detail::composite_butterfly<4, 6>(v);
  } else if constexpr (R == 26) {
    detail::composite_butterfly<2, 13>(v);
  } else if constexpr (R == 28) {
    detail::composite_butterfly<4, 7>(v);
  } else if constexpr (R == 30) {
    detail::composite_butterfly<5, 6>(v);
  } else {
    butterfly<R>(v);
  }
}

}  // namespace phpc::fft
