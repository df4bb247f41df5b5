#pragma once
#include <cstdint>
#include <limits>

#include "fft/factors.hpp"
#include "fft/fixed_shapes.hpp"
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

/// The radices of up to 16 stages, four bits each, the first stage lowest: a word in a register, where an array that is indexed
/// at run time would be memory of a GPU's thread.
class StageRadices {
 public:
  StageRadices() = default;
  [[gnu::always_inline]] constexpr int operator[](int stage) const { return static_cast<int>(bits_ >> (4 * stage) & 15) + 1; }
  constexpr void set(int stage, int radix) { bits_ |= static_cast<std::uint64_t>(radix - 1) << (4 * stage); }

 private:
  std::uint64_t bits_ = 0;
};

/// One pass over memory: outer_count * middle_count * inner_count forward transforms of `length` elements each. It lies in memory
/// of the device that runs it (a kernel itself can hold but a few words), and so does what it points to. A team takes `width`
/// transforms that differ in their inner index.
template <class Real>
struct Pass {
  index_t outer_count = 1;
  index_t middle_count = 1;
  index_t inner_count = 1;
  PassLayout from{};
  PassLayout to{};
  int width = 1;

  int length = 1;
  int stage_count = 0;
  StageRadices radices{};
  /// Stage after stage: exp(-2 pi i j r / L) at (r - 1) * (L / R) + j for the sub-transforms of length L that radix R divides.
  const Complex<Real>* twiddles = nullptr;
  /// Where the last stage, of radix R, finds its R inputs in scratch that give X[u], X[u + length/R], ..., for u < length/R.
  const int* last_places = nullptr;

  PassForm form = PassForm::rows;
  /// Twiddles as FixedShape orders them, where the device has a kernel for this form and length; else nullptr.
  const Complex<Real>* fixed_twiddles = nullptr;

  LoadHook<Real> load{};
  StoreHook<Real> store{};

  /// Between two passes (four-step): element e of inner transform i is multiplied by exp(-2 pi i t / n), t = i * e, from two
  /// tables: fine[t mod 2^shift] * coarse[t / 2^shift]. nullptr = not.
  const Complex<Real>* fine = nullptr;
  const Complex<Real>* coarse = nullptr;
  int fine_shift = 0;
  /// The same in one table, at e * inner_count + i, where it is small enough; only for kernels of fixed length. In a convolution:
  /// the filter's spectrum in digit-reversed order.
  const Complex<Real>* between = nullptr;
};

/// Which index of a pass counts the batch, and so is given at each launch.
enum class BatchIndex { inner, outer };

/// Teams that a pass over `batch` transforms needs.
template <class Real>
constexpr index_t pass_groups(const Pass<Real>& pass, BatchIndex batch_index, index_t batch) {
  const bool is_inner = batch_index == BatchIndex::inner;
  return (is_inner ? pass.outer_count : batch) * pass.middle_count * ceil_div(is_inner ? batch : pass.inner_count, pass.width);
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
