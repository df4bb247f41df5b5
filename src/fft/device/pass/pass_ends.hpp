#pragma once
#include "fft/device/pass/pass.hpp"

/// How a kernel reads the elements of a pass and writes them: functors of
///   the pass, the place of the element in memory (in elements from the pointer on), its position in the line.
namespace phpc::fft {

template <class T>
[[gnu::always_inline]] constexpr Complex<T> swapped(Complex<T> value) {
  return {value.im, value.re};
}

/// Swaps the parts of each of a thread's values.
template <class T, int R>
[[gnu::always_inline]] constexpr void thread_swap(Complex<T> (&v)[R]) {
#pragma unroll
  for (int q = 0; q < R; ++q) {
    v[q] = swapped(v[q]);
  }
}

/// Complex numbers, one access each.
template <class Real>
struct PlainLoad {
  const Complex<Real>* in;

  [[gnu::always_inline]] Complex<Real> operator()(const PassWork<Real>& pass, index_t offset, index_t /*position*/) const {
    const Complex<Real> value = in[offset];
    return pass.load.swap ? swapped(value) : value;
  }
};

template <class Real>
struct PlainStore {
  Complex<Real>* out;

  [[gnu::always_inline]] void operator()(const PassWork<Real>& pass, index_t offset, index_t /*position*/,
                                         Complex<Real> value) const {
    out[offset] = scaled(pass.store.swap_last ? swapped(value) : value, pass.store.scale);
  }
};

/// The hooks of a load, on a value as it was read.
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> prepared(const LoadHook<Real>& hook, index_t position, Complex<Real> value) {
  if (hook.swap) {
    value = swapped(value);
  }
  return hook.factors != nullptr ? value * hook.factors[position] : value;
}

/// The hooks of a store up to the scale.
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> finished(const StoreHook<Real>& hook, index_t position, Complex<Real> value) {
  if (hook.swap_first) {
    value = swapped(value);
  }
  if (hook.factors != nullptr) {
    value = value * hook.factors[position];
  }
  if (hook.swap_last) {
    value = swapped(value);
  }
  return scaled(value, hook.scale);
}

/// The c2r preprocessing of an element: Z[k] = (X[k] + conj X[m - k]) + i (X[k] - conj X[m - k]) / w^k, whose inverse transform
/// is n (x[2j] + i x[2j + 1]), for two elements of the transform of n = 2m real numbers and the root w^k = exp(-2 pi i k / n).
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> c2r_preprocessed(Complex<Real> here, Complex<Real> opposite, Complex<Real> root) {
  const Complex<Real> difference = (here - conj(opposite)) * conj(root);
  return (here + conj(opposite)) + Complex<Real>{-difference.im, difference.re};
}

/// Numbers in any form: parts at first[pitch * offset] and second[pitch * offset]; without a second part they are real.
template <class Real>
struct PartsLoad {
  using Value = Complex<Real>;
  const Real* first;
  const Real* second;
  index_t pitch;

  [[gnu::always_inline]] Value operator()(const PassWork<Real>& pass, index_t offset, index_t position) const {
    const LoadHook<Real>& hook = pass.load;
    if (position >= hook.count) {
      return {0, 0};
    }
    Value value{};
    if (hook.half == HalfSpectrum::none) {
      value = at(offset);
    } else if (hook.half == HalfSpectrum::even) {
      value = even(hook, offset, position);
    } else {
      value = odd(hook, offset, position);
    }
    return prepared(hook, position, value);
  }

 private:
  [[gnu::always_inline]] Value at(index_t offset) const {
    return {first[pitch * offset], second == nullptr ? Real{0} : second[pitch * offset]};
  }

  [[gnu::always_inline]] Value even(const LoadHook<Real>& hook, index_t offset, index_t k) const {
    Value here = at(offset);
    Value opposite = at(offset + (hook.half_length - 2 * k) * hook.stride);
    if (k == 0) {  // both are real
      here.im = 0;
      opposite.im = 0;
    }
    return c2r_preprocessed(here, opposite, hook.roots[k]);
  }

  [[gnu::always_inline]] Value odd(const LoadHook<Real>& hook, index_t offset, index_t k) const {
    if (2 * k > hook.half_length) {
      return conj(at(offset + (hook.half_length - 2 * k) * hook.stride));
    }
    const Value value = at(offset);
    return k == 0 ? Value{value.re, 0} : value;
  }
};

template <class Real>
struct PartsStore {
  Real* first;
  Real* second;
  index_t pitch;

  [[gnu::always_inline]] void operator()(const PassWork<Real>& pass, index_t offset, index_t position,
                                         Complex<Real> value) const {
    if (position < pass.store.count) {
      value = finished(pass.store, position, value);
      first[pitch * offset] = value.re;
      if (second != nullptr) {
        second[pitch * offset] = value.im;
      }
    }
  }
};

/// The r2c postprocessing of an element: element k of the transform of 2m real numbers, for elements k and m - k (of m,
/// cyclically) of that of x[2j] + i x[2j + 1] and the root exp(-2 pi i k / 2m).
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> r2c_postprocessed(Complex<Real> here, Complex<Real> opposite, Complex<Real> root) {
  const Complex<Real> even = here + conj(opposite);
  const Complex<Real> odd = (here - conj(opposite)) * root;
  return scaled(Complex<Real>{even.re + odd.im, even.im - odd.re}, Real{0.5});
}

}  // namespace phpc::fft
