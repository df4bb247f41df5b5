#pragma once
#include <type_traits>

#include "fft/device/pass.hpp"

/// How a kernel reads the elements of a pass and writes them: functors of
///   the pass, the place of the element in memory (in elements from the pointer on), its position in the line.
namespace phpc::fft {

template <class T>
[[gnu::always_inline]] constexpr Complex<T> swapped(Complex<T> value) {
  return {value.im, value.re};
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

/// What the hooks multiply an element by.
template <class Hook>
[[gnu::always_inline]] constexpr auto factor_of(const Hook& hook, index_t position) {
  using Value = std::remove_cvref_t<decltype(hook.factors[0])>;
  return hook.factors != nullptr && position < hook.count ? hook.factors[position] : Value{1, 0};
}

/// The hooks of a store up to the scale.
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> finished(const StoreHook<Real>& hook, Complex<Real> factor, Complex<Real> value) {
  if (hook.swap_first) {
    value = swapped(value);
  }
  if (hook.factors != nullptr) {
    value = value * factor;
  }
  if (hook.swap_last) {
    value = swapped(value);
  }
  return scaled(value, hook.scale);
}

/// Z[k] = (X[k] + conj X[m - k]) + i (X[k] - conj X[m - k]) / w^k, whose inverse transform is n (x[2j] + i x[2j + 1]), for two
/// elements of the transform of n = 2m real numbers and the root w^k = exp(-2 pi i k / n).
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> tangled(Complex<Real> here, Complex<Real> mirrored, Complex<Real> root) {
  const Complex<Real> difference = (here - conj(mirrored)) * conj(root);
  return (here + conj(mirrored)) + Complex<Real>{-difference.im, difference.re};
}

/// Numbers in any form: parts at first[pitch * offset] and second[pitch * offset]; without a second part they are real.
template <class Real>
struct PartsLoad {
  using Value = Complex<Real>;
  const Real* first;
  const Real* second;
  index_t pitch;

  /// All that is read for an element.
  struct Fetched {
    Value here{};
    Value mirrored{};
    Value root{};
    Value factor{};
  };

  [[gnu::always_inline]] Value operator()(const PassWork<Real>& pass, index_t offset, index_t position) const {
    return joined(pass.load, position, fetched(pass.load, offset, position));
  }

  [[gnu::always_inline]] Fetched fetched(const LoadHook<Real>& hook, index_t offset, index_t position) const {
    Fetched all{};
    if (position >= hook.count) {
      return all;
    }
    const index_t mirrored = offset + (hook.half_length - 2 * position) * hook.stride;
    all.here = at(hook.half == HalfSpectrum::odd && 2 * position > hook.half_length ? mirrored : offset);
    if (hook.half == HalfSpectrum::even) {
      all.mirrored = at(mirrored);
      all.root = hook.roots[position];
    }
    all.factor = factor_of(hook, position);
    return all;
  }

  [[gnu::always_inline]] static Value joined(const LoadHook<Real>& hook, index_t position, Fetched all) {
    if (position >= hook.count) {
      return {0, 0};
    }
    if (hook.half != HalfSpectrum::none && position == 0) {  // these are real
      all.here.im = 0;
      all.mirrored.im = 0;
    }
    Value value = all.here;
    if (hook.half == HalfSpectrum::even) {
      value = tangled(all.here, all.mirrored, all.root);
    } else if (hook.half == HalfSpectrum::odd && 2 * position > hook.half_length) {
      value = conj(value);
    }
    if (hook.swap) {
      value = swapped(value);
    }
    return hook.factors != nullptr ? value * all.factor : value;
  }

 private:
  [[gnu::always_inline]] Value at(index_t offset) const {
    return {first[pitch * offset], second == nullptr ? Real{0} : second[pitch * offset]};
  }
};

template <class Real>
struct PartsStore {
  Real* first;
  Real* second;
  index_t pitch;

  [[gnu::always_inline]] void operator()(const PassWork<Real>& pass, index_t offset, index_t position,
                                         Complex<Real> value) const {
    write(pass.store, offset, position, value, factor_of(pass.store, position));
  }

  /// `factor` is that of the position.
  [[gnu::always_inline]] void write(const StoreHook<Real>& hook, index_t offset, index_t position, Complex<Real> value,
                                    Complex<Real> factor) const {
    if (position < hook.count) {
      value = finished(hook, factor, value);
      first[pitch * offset] = value.re;
      if (second != nullptr) {
        second[pitch * offset] = value.im;
      }
    }
  }
};

/// Element k of the transform of 2m real numbers, for elements k and m - k (of m, cyclically) of that of x[2j] + i x[2j + 1] and
/// the root exp(-2 pi i k / 2m).
template <class Real>
[[gnu::always_inline]] constexpr Complex<Real> untangled(Complex<Real> here, Complex<Real> mirrored, Complex<Real> root) {
  const Complex<Real> even = here + conj(mirrored);
  const Complex<Real> odd = (here - conj(mirrored)) * root;
  return scaled(Complex<Real>{even.re + odd.im, even.im - odd.re}, Real{0.5});
}

}  // namespace phpc::fft
