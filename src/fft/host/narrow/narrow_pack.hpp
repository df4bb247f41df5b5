#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>

#include "fft/host/packs/pack.hpp"

namespace phpc::fft {

/// The complex numbers of a line that go through one instruction at most: four, as far as the processor's packs hold them. Eight
/// of them, in single precision with AVX-512, took longer for most lengths: the tails of a line are whole packs, too.
template <class Real>
inline constexpr int narrow_width = std::min(4, pack_bytes / static_cast<int>(2 * sizeof(Real)));

/// `Width` complex numbers, interleaved as in memory: real parts in even lanes. A line of a few numbers fills such a pack where
/// it does not fill a PackValue, and its numbers need not be neighbours in memory. The arithmetic is that of PackValue, number by
/// number, to the last bit.
template <class Real, int Width>
struct NarrowPack {
  using Lanes = exec::Vector<Real, 2 * Width>;
  Lanes lanes;

  [[gnu::always_inline]] friend constexpr NarrowPack operator+(NarrowPack a, NarrowPack b) { return {a.lanes + b.lanes}; }
  [[gnu::always_inline]] friend constexpr NarrowPack operator-(NarrowPack a, NarrowPack b) { return {a.lanes - b.lanes}; }
  [[gnu::always_inline]] friend constexpr NarrowPack operator-(NarrowPack a) { return {-a.lanes}; }
  [[gnu::always_inline]] friend constexpr NarrowPack scaled(NarrowPack a, Real factor) { return {a.lanes * factor}; }
};

template <class Real, int Width>
struct ScalarOf<NarrowPack<Real, Width>> {
  using type = Real;
};

namespace detail {

template <class Pack, int... I>
[[gnu::always_inline]] inline Pack parts_exchanged(Pack a, std::integer_sequence<int, I...> /*lanes*/) {
  return __builtin_shufflevector(a, a, (I ^ 1)...);
}

/// even in lanes of real parts, odd in those of imaginary ones.
template <class Pack, class Real, int... I>
[[gnu::always_inline]] constexpr Pack alternating(Real even, Real odd, std::integer_sequence<int, I...> /*lanes*/) {
  return Pack{(I % 2 == 0 ? even : odd)...};
}

}  // namespace detail

/// Real and imaginary parts in each other's place.
template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> parts_exchanged(NarrowPack<Real, Width> a) {
  return {detail::parts_exchanged(a.lanes, std::make_integer_sequence<int, 2 * Width>{})};
}

/// a * w: `w_re` holds the real part of w in both lanes of each number, `w_im` the imaginary part, negative in the first.
template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> product(NarrowPack<Real, Width> a,
                                                              typename NarrowPack<Real, Width>::Lanes w_re,
                                                              typename NarrowPack<Real, Width>::Lanes w_im) {
  return {fused(a.lanes, w_re, parts_exchanged(a).lanes * w_im)};
}

/// a + b * factor
template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> plus_scaled(NarrowPack<Real, Width> a, NarrowPack<Real, Width> b,
                                                                  Real factor) {
  using Lanes = typename NarrowPack<Real, Width>::Lanes;
  return {fused<Lanes>(b.lanes, factor - Lanes{}, a.lanes)};
}

namespace detail {

/// The signs of real parts changed where `re` is negative zero, those of imaginary parts where `im` is.
template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> signs_changed(NarrowPack<Real, Width> a, Real re, Real im) {
  using Bits = exec::Vector<std::conditional_t<sizeof(Real) == 4, std::int32_t, std::int64_t>, 2 * Width>;
  using Lanes = typename NarrowPack<Real, Width>::Lanes;
  const auto signs = reinterpret_cast<Bits>(alternating<Lanes, Real>(re, im, std::make_integer_sequence<int, 2 * Width>{}));
  return {reinterpret_cast<Lanes>(reinterpret_cast<Bits>(a.lanes) ^ signs)};
}

template <class Pack, int Lanes, int... I>
[[gnu::always_inline]] inline Pack numbers_reversed(Pack a, std::integer_sequence<int, I...> /*lanes*/) {
  return __builtin_shufflevector(a, a, ((Lanes - 2) - (I & ~1) + (I & 1))...);
}

}  // namespace detail

/// a * -i
template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> times_minus_i(NarrowPack<Real, Width> a) {
  return detail::signs_changed(parts_exchanged(a), Real{0}, -Real{0});
}

template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> conj(NarrowPack<Real, Width> a) {
  return detail::signs_changed(a, Real{0}, -Real{0});
}

/// The last number first.
template <class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> reversed(NarrowPack<Real, Width> a) {
  using Lanes = typename NarrowPack<Real, Width>::Lanes;
  return {detail::numbers_reversed<Lanes, 2 * Width>(a.lanes, std::make_integer_sequence<int, 2 * Width>{})};
}

/// a * exp(-2 pi i q / R)
template <int R, class Real, int Width>
[[gnu::always_inline]] inline NarrowPack<Real, Width> times_root(NarrowPack<Real, Width> a, int q) {
  if (q == 0) {
    return a;
  }
  if (4 * q == R) {
    return times_minus_i(a);
  }
  if (2 * q == R) {
    return -a;
  }
  constexpr auto half_root = static_cast<Real>(0.7071067811865475244008);
  if (8 * q == R) {
    return scaled(a + times_minus_i(a), half_root);
  }
  if (8 * q == 3 * R) {
    return scaled(times_minus_i(a) - a, half_root);
  }
  using Lanes = typename NarrowPack<Real, Width>::Lanes;
  constexpr auto lane_list = std::make_integer_sequence<int, 2 * Width>{};
  const auto re = static_cast<Real>(detail::cosine<R>(q));
  const auto im = static_cast<Real>(detail::sine<R>(q));
  return product(a, detail::alternating<Lanes, Real>(re, re, lane_list), detail::alternating<Lanes, Real>(im, -im, lane_list));
}

/// Neighbours in memory.
template <int Width, class Real>
[[gnu::always_inline]] inline NarrowPack<Real, Width> load_narrow(const Real* from) {
  NarrowPack<Real, Width> pack;
  __builtin_memcpy(&pack.lanes, from, sizeof(pack.lanes));
  return pack;
}

template <class Real, int Width>
[[gnu::always_inline]] inline void store_narrow(Real* to, NarrowPack<Real, Width> pack) {
  __builtin_memcpy(to, &pack.lanes, sizeof(pack.lanes));
}

namespace detail {

/// `Width` words of eight bytes.
template <int Width>
struct WordsOf {
  using type [[gnu::vector_size(8 * Width)]] = double;
};

}  // namespace detail

/// One number from each of `Width` places, `offset` real numbers on.
template <int Width, class Real>
[[gnu::always_inline]] inline NarrowPack<Real, Width> load_each(const Real* const (&places)[Width], index_t offset) {
  if constexpr (Width == 1) {
    return load_narrow<1>(places[0] + offset);
  } else if constexpr (sizeof(Real) == 4) {
    // Numbers of eight bytes, which are only moved: the compiler has one instruction to load the second of a pair.
    typename detail::WordsOf<Width>::type words{};
#pragma GCC unroll 8
    for (int i = 0; i < Width; ++i) {
      double word;
      __builtin_memcpy(&word, places[i] + offset, sizeof(word));
      words[i] = word;
    }
    return {reinterpret_cast<typename NarrowPack<Real, Width>::Lanes>(words)};
  } else if constexpr (Width == 2) {
    const auto a = load_narrow<1>(places[0] + offset).lanes;
    const auto b = load_narrow<1>(places[1] + offset).lanes;
    return {__builtin_shufflevector(a, b, 0, 1, 2, 3)};
  } else {
    const auto a = load_narrow<1>(places[0] + offset).lanes;
    const auto b = load_narrow<1>(places[1] + offset).lanes;
    const auto c = load_narrow<1>(places[2] + offset).lanes;
    const auto d = load_narrow<1>(places[3] + offset).lanes;
    return {__builtin_shufflevector(__builtin_shufflevector(a, b, 0, 1, 2, 3), __builtin_shufflevector(c, d, 0, 1, 2, 3), 0, 1, 2,
                                    3, 4, 5, 6, 7)};
  }
}

}  // namespace phpc::fft
