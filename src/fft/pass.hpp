#pragma once
#include <limits>

#include "fft/factors.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// Where the elements of a pass lie on one side of it: element e of transform (outer, middle, inner) is at
///   outer * outer_stride + middle * middle_stride + inner * inner_stride + e * element_stride.
struct PassLayout {
  index_t outer;
  index_t middle;
  index_t inner;
  index_t element;
  /// The inner stride within one transform of the user: 0 where the inner index counts the batch.
  index_t inner_within;
};

/// What happens to an element on its way into the first pass. `position` is its place in the user's transform.
template <class Real>
struct LoadHook {
  /// Elements from here on are not read: they are 0.
  index_t count = std::numeric_limits<index_t>::max();
  /// Real and imaginary part trade places before and after a forward transform: that makes it the inverse one.
  bool swap = false;
  /// Multiplies the element at each position; nullptr = nothing.
  const Complex<Real>* factors = nullptr;
};

/// What happens to an element on its way out of the last pass, in this order.
template <class Real>
struct StoreHook {
  bool swap_first = false;
  const Complex<Real>* factors = nullptr;
  bool swap_last = false;
  Real scale = 1;
  /// Elements from here on are not written.
  index_t count = std::numeric_limits<index_t>::max();
};

/// One pass over memory: outer_count * middle_count * inner_count forward transforms of `length` elements each. Trivially
/// copyable; pointers are of the device that runs it. A team takes `width` transforms that differ in their inner index.
template <class Real>
struct Pass {
  const Complex<Real>* in;
  Complex<Real>* out;
  index_t outer_count;
  index_t middle_count;
  index_t inner_count;
  PassLayout from;
  PassLayout to;
  int width;

  int length;
  int stage_count;
  int radices[max_stages];
  /// Stage after stage: exp(-2 pi i j r / L) at (r - 1) * (L / R) + j for the sub-transforms of length L that radix R divides.
  const Complex<Real>* twiddles;
  /// The block of the last stage (its place in scratch over R) that holds X[u], X[u + length/R], ... for u < length/R.
  const int* last_blocks;

  LoadHook<Real> load;
  StoreHook<Real> store;

  /// Between two passes (four-step): element e of inner transform i is multiplied by exp(-2 pi i t / n), t = i * e, from two
  /// tables: fine[t mod 2^shift] * coarse[t / 2^shift]. nullptr = not.
  const Complex<Real>* fine;
  const Complex<Real>* coarse;
  int fine_shift;
};

/// Teams that a pass needs.
template <class Real>
[[gnu::always_inline]] constexpr index_t pass_groups(const Pass<Real>& pass) {
  return pass.outer_count * pass.middle_count * ceil_div(pass.inner_count, pass.width);
}

/// The place in scratch of element `i` of a team's tile. Gaps after 16 and 256 elements keep the strides of powers of two off one
/// memory bank of a GPU and off one cache set of a processor.
[[gnu::always_inline]] constexpr unsigned tile_place(unsigned i) {
  return i + i / 16 + i / 256;
}

/// Scratch bytes of a tile of `elements` elements.
template <class Real>
constexpr index_t tile_bytes(index_t elements) {
  return (elements + elements / 16 + elements / 256) * static_cast<index_t>(sizeof(Complex<Real>));
}

/// The most elements whose tile fits in `bytes`.
template <class Real>
constexpr index_t tile_elements(index_t bytes) {
  index_t elements = bytes / static_cast<index_t>(sizeof(Complex<Real>));
  while (tile_bytes<Real>(elements) > bytes) {
    --elements;
  }
  return elements;
}

/// Scratch of the usual team: a tile of 4096 elements of f32 or 2048 of f64, six teams a multiprocessor of an H200.
inline constexpr std::size_t static_tile_bytes = static_cast<std::size_t>(tile_bytes<float>(4096));

}  // namespace phpc::fft
