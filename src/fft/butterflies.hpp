#pragma once
#include "phpc/core/types.hpp"

/// Forward discrete Fourier transforms of a few elements, in registers: butterfly<R>(v) replaces v[0..R) by its transform, both
/// in natural order. `T` is a scalar or, on the host, a pack of one element of several transforms.
namespace phpc::fft {

/// The scalar that constants are rounded to for values of type T; to be specialised for packs.
template <class T>
struct ScalarOf {
  using type = T;
};

namespace detail {

/// cos(2 pi q / R), 0 <= q <= R/2.
template <int R>
[[gnu::always_inline]] constexpr double half_cosine(int q) {
  if constexpr (R == 3) {
    constexpr double values[] = {1.0, -0.5};
    return values[q];
  } else if constexpr (R == 5) {
    constexpr double values[] = {1.0, 0.3090169943749474241023, -0.8090169943749474241023};
    return values[q];
  } else if constexpr (R == 7) {
    constexpr double values[] = {1.0, 0.623489801858733530525, -0.2225209339563144042889, -0.9009688679024191262361};
    return values[q];
  } else if constexpr (R == 9) {
    constexpr double values[] = {1.0, 0.7660444431189780352024, 0.1736481776669303488517, -0.5, -0.9396926207859083840541};
    return values[q];
  } else if constexpr (R == 11) {
    constexpr double values[] = {1.0,
                                 0.8412535328311811688618,
                                 0.4154150130018864255293,
                                 -0.1423148382732851404438,
                                 -0.6548607339452850640569,
                                 -0.9594929736144973898904};
    return values[q];
  } else if constexpr (R == 13) {
    constexpr double values[] = {1.0,
                                 0.8854560256532098959004,
                                 0.5680647467311558025118,
                                 0.1205366802553230533491,
                                 -0.3546048870425356259696,
                                 -0.7485107481711010986346,
                                 -0.970941817426052027157};
    return values[q];
  } else {
    static_assert(R == 16);
    constexpr double values[] = {1.0, 0.9238795325112867561282,  0.7071067811865475244008,  0.3826834323650897717285,
                                 0.0, -0.3826834323650897717285, -0.7071067811865475244008, -0.9238795325112867561282,
                                 -1.0};
    return values[q];
  }
}

/// sin(2 pi q / R), 0 <= q <= R/2.
template <int R>
[[gnu::always_inline]] constexpr double half_sine(int q) {
  if constexpr (R == 3) {
    constexpr double values[] = {0.0, 0.8660254037844386467637};
    return values[q];
  } else if constexpr (R == 5) {
    constexpr double values[] = {0.0, 0.9510565162951535721164, 0.5877852522924731291687};
    return values[q];
  } else if constexpr (R == 7) {
    constexpr double values[] = {0.0, 0.7818314824680298087084, 0.9749279121818236070181, 0.4338837391175581204758};
    return values[q];
  } else if constexpr (R == 9) {
    constexpr double values[] = {0.0, 0.6427876096865393263226, 0.9848077530122080593667, 0.8660254037844386467637,
                                 0.3420201433256687330441};
    return values[q];
  } else if constexpr (R == 11) {
    constexpr double values[] = {0.0,
                                 0.5406408174555975821076,
                                 0.9096319953545183714117,
                                 0.9898214418809327323761,
                                 0.755749574354258283774,
                                 0.2817325568414296977114};
    return values[q];
  } else if constexpr (R == 13) {
    constexpr double values[] = {0.0,
                                 0.464723172043768545656,
                                 0.8229838658936563945796,
                                 0.9927088740980539928008,
                                 0.9350162426854148234398,
                                 0.6631226582407952023768,
                                 0.2393156642875577671488};
    return values[q];
  } else {
    static_assert(R == 16);
    constexpr double values[] = {0.0, 0.3826834323650897717285, 0.7071067811865475244008, 0.9238795325112867561282,
                                 1.0, 0.9238795325112867561282, 0.7071067811865475244008, 0.3826834323650897717285,
                                 0.0};
    return values[q];
  }
}

/// cos and sin of 2 pi q / R for 0 <= q < R.
template <int R>
[[gnu::always_inline]] constexpr double cosine(int q) {
  return half_cosine<R>(2 * q > R ? R - q : q);
}
template <int R>
[[gnu::always_inline]] constexpr double sine(int q) {
  return 2 * q > R ? -half_sine<R>(R - q) : half_sine<R>(q);
}

/// a * -i
template <class T>
[[gnu::always_inline]] constexpr Complex<T> turned_back(Complex<T> a) {
  return {a.im, -a.re};
}

/// a * exp(-2 pi i q / R), with the products that multiply by 0, 1 or equal factors left out.
template <int R, class T>
[[gnu::always_inline]] constexpr Complex<T> turned(Complex<T> a, int q) {
  using Scalar = typename ScalarOf<T>::type;
  if (q == 0) {
    return a;
  }
  if (4 * q == R) {
    return turned_back(a);
  }
  if (2 * q == R) {
    return -a;
  }
  constexpr auto half_root = static_cast<Scalar>(0.7071067811865475244008);
  if (8 * q == R) {
    return scaled(Complex<T>{a.re + a.im, a.im - a.re}, half_root);
  }
  if (8 * q == 3 * R) {
    return scaled(Complex<T>{a.im - a.re, -a.re - a.im}, half_root);
  }
  if constexpr (R == 9 || R == 16) {
    return a * Complex<Scalar>{static_cast<Scalar>(cosine<R>(q)), static_cast<Scalar>(-sine<R>(q))};
  } else {
    return a;
  }
}

}  // namespace detail

template <int R, class T>
[[gnu::always_inline]] constexpr void butterfly(Complex<T> (&v)[R]);

namespace detail {

/// R = A * B: B transforms of A, turned, then A transforms of B.
template <int A, int B, class T>
[[gnu::always_inline]] constexpr void composite_butterfly(Complex<T> (&v)[A * B]) {
  Complex<T> rows[A][B];
#pragma GCC unroll 16
  for (int column = 0; column < B; ++column) {
    Complex<T> part[A];
#pragma GCC unroll 16
    for (int row = 0; row < A; ++row) {
      part[row] = v[row * B + column];
    }
    butterfly<A>(part);
#pragma GCC unroll 16
    for (int row = 0; row < A; ++row) {
      rows[row][column] = turned<A * B>(part[row], row * column);
    }
  }
#pragma GCC unroll 16
  for (int row = 0; row < A; ++row) {
    butterfly<B>(rows[row]);
#pragma GCC unroll 16
    for (int column = 0; column < B; ++column) {
      v[row + A * column] = rows[row][column];
    }
  }
}

/// An odd prime by its definition, halved by the symmetry of cosine and sine.
template <int R, class T>
[[gnu::always_inline]] constexpr void odd_butterfly(Complex<T> (&v)[R]) {
  using Scalar = typename ScalarOf<T>::type;
  constexpr int half = (R - 1) / 2;
  Complex<T> sum[half];
  Complex<T> difference[half];
  const Complex<T> first = v[0];
#pragma GCC unroll 16
  for (int q = 1; q <= half; ++q) {
    sum[q - 1] = v[q] + v[R - q];
    difference[q - 1] = v[q] - v[R - q];
    v[0] = v[0] + sum[q - 1];
  }
#pragma GCC unroll 16
  for (int k = 1; k <= half; ++k) {
    Complex<T> even = first;
    Complex<T> odd = scaled(difference[0], static_cast<Scalar>(sine<R>(k)));
#pragma GCC unroll 16
    for (int q = 1; q <= half; ++q) {
      even = even + scaled(sum[q - 1], static_cast<Scalar>(cosine<R>(k * q % R)));
      if (q > 1) {
        odd = odd + scaled(difference[q - 1], static_cast<Scalar>(sine<R>(k * q % R)));
      }
    }
    odd = turned_back(odd);
    v[k] = even + odd;
    v[R - k] = even - odd;
  }
}

}  // namespace detail

template <int R, class T>
[[gnu::always_inline]] constexpr void butterfly(Complex<T> (&v)[R]) {
  if constexpr (R == 2) {
    const Complex<T> second = v[1];
    v[1] = v[0] - second;
    v[0] = v[0] + second;
  } else if constexpr (R == 4) {
    detail::composite_butterfly<2, 2>(v);
  } else if constexpr (R == 8) {
    detail::composite_butterfly<2, 4>(v);
  } else if constexpr (R == 9) {
    detail::composite_butterfly<3, 3>(v);
  } else if constexpr (R == 16) {
    detail::composite_butterfly<4, 4>(v);
  } else {
    detail::odd_butterfly<R>(v);
  }
}

}  // namespace phpc::fft
