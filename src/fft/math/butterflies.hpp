#pragma once
#include "phpc/core/types.hpp"

/// Forward discrete Fourier transforms of a few elements, in registers: butterfly<R>(v) replaces v[0..R) by its transform, both
/// in natural order. An element is a Complex<T>, where T is a scalar or, on the host, a pack of one element of several
/// transforms, or any other type with sums, differences, scaled(), plus_scaled(), times_minus_i() and times_root().
namespace phpc::fft {

/// The type that constants are rounded to before they multiply values of type T: T itself; packs specialise this for their
/// scalar.
template <class T>
struct ScalarOf {
  using type = T;
};
template <class T>
struct ScalarOf<Complex<T>> : ScalarOf<T> {};

/// Fixes the order in which a compiler schedules a butterfly: settle(v) is a point before which all of v is computed and after
/// which it is used. Packs specialise this, with `needed` true: a butterfly has about as many of them as there are registers, and
/// without such points the compiler spills them. All other types leave the schedule to the compiler: on a GPU a fixed one cost
/// two registers and a team on each multiprocessor (length 2187, 3.4 TB/s instead of 3.8).
template <class T>
struct Settled {
  static constexpr bool needed = false;
};
template <class T>
struct Settled<Complex<T>> : Settled<T> {};

namespace detail {

/// The table of cos and sin of 2 pi q / R for 0 <= q < R, exact to the last bit of a double. Power series at compile time, of
/// angles that are first reduced to at most an eighth of a circle.
template <int R>
struct Roots {
  double cosine[R];
  double sine[R];

  constexpr Roots() : cosine{}, sine{} {
    for (int q = 0; q < R; ++q) {
      // q/R of a circle = quarter/4 + rest/(4R) of it, |rest| <= R/2.
      const int quarter = (8 * q + R) / (2 * R);
      const int rest = 4 * q - quarter * R;
      // The angle, pi rest / (2R), is `angle + error`: the products below are of few enough bits to be exact.
      constexpr double pi_parts[] = {3.1415926218032837, 3.1786509424591713e-8, 1.2246467991473532e-16};
      const double angle = (pi_parts[0] + pi_parts[1]) * rest / (2 * R);
      const double angle_high = static_cast<float>(angle);
      const double angle_low = angle - angle_high;
      const double error =
          ((pi_parts[0] * rest - angle_high * (2 * R)) + (pi_parts[1] * rest - angle_low * (2 * R)) + pi_parts[2] * rest) /
          (2 * R);
      // cos - 1 and sin - angle have far fewer digits than the sums, so their rounding does not show.
      const double c = 1 + (series(-angle * angle / 2, angle, 3) - angle * error);
      const double s = angle + (series(-angle * angle * angle / 6, angle, 4) + error * (1 - angle * angle / 2));
      const double cosines[] = {c, -s, -c, s};
      const double sines[] = {s, c, -s, -c};
      cosine[q] = cosines[quarter % 4];
      sine[q] = sines[quarter % 4];
    }
  }

 private:
  /// term - term * x^2 / (n (n + 1)) + ..., the smallest added first.
  static constexpr double series(double term, double x, int n) {
    double terms[14] = {};
    for (double& slot : terms) {
      slot = term;
      term *= -x * x / (n * (n + 1));
      n += 2;
    }
    double sum = 0;
    for (int i = 13; i >= 0; --i) {
      sum += terms[i];
    }
    return sum;
  }
};

/// a + b * factor
template <class T, class Scalar>
[[gnu::always_inline]] constexpr Complex<T> plus_scaled(Complex<T> a, Complex<T> b, Scalar factor) {
  return a + scaled(b, factor);
}

template <int R>
[[gnu::always_inline]] constexpr double cosine(int q) {
  constexpr Roots<R> roots;
  return roots.cosine[q];
}
template <int R>
[[gnu::always_inline]] constexpr double sine(int q) {
  constexpr Roots<R> roots;
  return roots.sine[q];
}

/// Returns a * -i.
template <class T>
[[gnu::always_inline]] constexpr Complex<T> times_minus_i(Complex<T> a) {
  return {a.im, -a.re};
}

/// Returns a * exp(-2 pi i q / R), without the products by 0 and 1 and with one product where real and imaginary part of the root
/// are equal.
template <int R, class T>
[[gnu::always_inline]] constexpr Complex<T> times_root(Complex<T> a, int q) {
  using Scalar = typename ScalarOf<T>::type;
  if (q == 0) {
    return a;
  }
  if (4 * q == R) {
    return times_minus_i(a);
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
  return a * Complex<Scalar>{static_cast<Scalar>(cosine<R>(q)), static_cast<Scalar>(-sine<R>(q))};
}

}  // namespace detail

template <int R, class Value>
[[gnu::always_inline]] constexpr void butterfly(Value (&v)[R]);

namespace detail {

/// R = A * B: B transforms of A, products with twiddles, then A transforms of B (Cooley and Tukey, 1965).
template <int A, int B, class Value>
[[gnu::always_inline]] constexpr void composite_butterfly(Value (&v)[A * B]) {
  Value rows[A][B];
#pragma GCC unroll 32
  for (int column = 0; column < B; ++column) {
    Value part[A];
#pragma GCC unroll 32
    for (int row = 0; row < A; ++row) {
      part[row] = v[row * B + column];
    }
    butterfly<A>(part);
    constexpr bool settles = Settled<Value>::needed && A * B >= 16;
    if constexpr (settles) {
#pragma GCC unroll 32
      for (int row = 0; row < A; ++row) {
        part[row] = times_root<A * B>(part[row], row * column);
      }
      Settled<Value>::settle(part);
    }
#pragma GCC unroll 32
    for (int row = 0; row < A; ++row) {
      rows[row][column] = settles ? part[row] : times_root<A * B>(part[row], row * column);
    }
  }
#pragma GCC unroll 32
  for (int row = 0; row < A; ++row) {
    butterfly<B>(rows[row]);
#pragma GCC unroll 32
    for (int column = 0; column < B; ++column) {
      v[row + A * column] = rows[row][column];
    }
  }
}

/// Returns elements k and R - k, 1 <= k <= (R - 1) / 2, of the transform of odd length R by its definition. The symmetry of
/// cosine and sine halves the products: they are of the first element and, for q = 1 ... (R - 1) / 2, of the sums and the
/// differences of elements q and R - q.
template <class Value>
struct OppositeElements {
  Value at;
  Value opposite;
};
template <int R, class Value>
[[gnu::always_inline]] constexpr OppositeElements<Value> odd_elements(int k, const Value& first, const Value* sums,
                                                                      const Value* differences) {
  using Scalar = typename ScalarOf<Value>::type;
  constexpr int half = (R - 1) / 2;
  Value even = first;
  Value odd = scaled(differences[0], static_cast<Scalar>(sine<R>(k)));
#pragma GCC unroll 32
  for (int q = 1; q <= half; ++q) {
    even = plus_scaled(even, sums[q - 1], static_cast<Scalar>(cosine<R>(k * q % R)));
    if (q > 1) {
      odd = plus_scaled(odd, differences[q - 1], static_cast<Scalar>(sine<R>(k * q % R)));
    }
  }
  odd = times_minus_i(odd);
  return {even + odd, even - odd};
}

template <int R, class Value>
[[gnu::always_inline]] constexpr void odd_butterfly(Value (&v)[R]) {
  constexpr int half = (R - 1) / 2;
  Value sums[half];
  Value differences[half];
  const Value first = v[0];
#pragma GCC unroll 32
  for (int q = 1; q <= half; ++q) {
    sums[q - 1] = v[q] + v[R - q];
    differences[q - 1] = v[q] - v[R - q];
    v[0] = v[0] + sums[q - 1];
  }
#pragma GCC unroll 32
  for (int k = 1; k <= half; ++k) {
    const OppositeElements<Value> pair = odd_elements<R>(k, first, sums, differences);
    v[k] = pair.at;
    v[R - k] = pair.opposite;
  }
}

}  // namespace detail

template <int R, class Value>
[[gnu::always_inline]] constexpr void butterfly(Value (&v)[R]) {
  if constexpr (R == 2) {
    const Value second = v[1];
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
  } else if constexpr (R == 32) {
    detail::composite_butterfly<4, 8>(v);
  } else if constexpr (R == 6) {
    detail::composite_butterfly<2, 3>(v);
  } else if constexpr (R == 10) {
    detail::composite_butterfly<2, 5>(v);
  } else if constexpr (R == 12) {
    detail::composite_butterfly<4, 3>(v);
  } else if constexpr (R == 14) {
    detail::composite_butterfly<2, 7>(v);
  } else if constexpr (R == 15) {
    detail::composite_butterfly<3, 5>(v);
  } else if constexpr (R == 18) {
    detail::composite_butterfly<2, 9>(v);
  } else if constexpr (R == 20) {
    detail::composite_butterfly<4, 5>(v);
  } else if constexpr (R == 21) {
    detail::composite_butterfly<3, 7>(v);
  } else if constexpr (R == 22) {
    detail::composite_butterfly<2, 11>(v);
  } else if constexpr (R == 25) {
    detail::composite_butterfly<5, 5>(v);
  } else if constexpr (R == 27) {
    detail::composite_butterfly<3, 9>(v);
  } else {
    static_assert(R % 2 == 1, "no butterfly of this radix");
    detail::odd_butterfly<R>(v);
  }
}

}  // namespace phpc::fft
