#pragma once
#include <cstdint>
#include <limits>

#include "fft/device/pass/pass_form.hpp"
#include "fft/math/factors.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// How a pass reads the spectrum of real numbers, of which memory holds elements 0 ... n/2 since X[n - k] = conj X[k].
enum class HalfSpectrum {
  none,
  even,  ///< n = 2m: as the spectrum of the m complex numbers x[2j] + i x[2j + 1]
  odd    ///< as all n elements
};

/// What a pass does with elements as it reads them, in this order. Positions count the elements of a line, whatever its layout.
template <class Real>
struct LoadHook {
  /// Elements from here on are not read: they are 0.
  index_t count = std::numeric_limits<index_t>::max();
  HalfSpectrum half = HalfSpectrum::none;
  index_t half_length = 0;               ///< m or n of HalfSpectrum
  index_t stride = 0;                    ///< between the elements of the halved line
  const Complex<Real>* roots = nullptr;  ///< exp(-2 pi i k / n) for 0 <= k < m
  /// Real and imaginary part trade places before and after a forward transform: that makes it the inverse one.
  bool swap = false;
  /// Multiplies the element at each position; nullptr = nothing.
  const Complex<Real>* factors = nullptr;
};

/// What a pass does with elements before it writes them, in this order.
template <class Real>
struct StoreHook {
  /// The m results, of x[2j] + i x[2j + 1], become elements 0 ... m of the transform of the 2m real numbers, for the table
  /// exp(-2 pi i k / 2m), 0 <= k <= m. Only of passes that hold whole lines, and without factors or a count.
  const Complex<Real>* r2c_roots = nullptr;
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

/// A loop over the transforms of a pass, with the distances from one iteration to the next: in memory, in positions of the line
/// (which hooks count), and in the exponents of the twiddles between passes.
struct PassLoop {
  index_t count = 1;
  index_t from = 0;
  index_t to = 0;
  index_t from_position = 0;
  index_t to_position = 0;
  index_t twiddle_step = 0;
};

inline constexpr int max_loops = 8;
/// Loops over lines that a pass has room for, beside two loops within a line.
inline constexpr int max_line_loops = max_loops - 2;

/// What a pass does with each of its transforms, of `length` elements, all forward: the part of a Pass that a kernel keeps in
/// registers.
template <class Real>
struct PassWork {
  index_t from_step = 1;  ///< between the elements of a transform, in memory and in positions
  index_t to_step = 1;
  index_t from_position = 1;
  index_t to_position = 1;
  int width = 1;  ///< transforms of a team, neighbours in the last loop

  int length = 1;
  int stage_count = 0;
  StageRadices radices{};
  /// Stage after stage: exp(-2 pi i j r / L) at (r - 1) * (L / R) + j for the sub-transforms of length L that radix R divides.
  const Complex<Real>* twiddles = nullptr;
  /// The digit-reversal table: where the last stage, of radix R, finds its R inputs in scratch, neighbours, that give X[u], X[u +
  /// length/R], ..., for u < length/R.
  const int* digit_reversal = nullptr;

  PassForm form = PassForm::rows;
  /// Twiddles as FixedShape orders them, where the device has a kernel for this form and length; else nullptr.
  const Complex<Real>* fixed_twiddles = nullptr;

  LoadHook<Real> load{};
  StoreHook<Real> store{};

  /// Between two passes (four-step): element e is multiplied by exp(-2 pi i t / n), t = e * (sum of index * twiddle_step over the
  /// loops), from two tables: fine[t mod 2^shift] * coarse[t / 2^shift]. nullptr = not.
  const Complex<Real>* fine = nullptr;
  const Complex<Real>* coarse = nullptr;
  int fine_shift = 0;
  /// Of fused four-step kernels (FixedFourStepKernel, FixedFourStepConvolutionKernel) alone: the twiddles between both of their
  /// phases.
  const Complex<Real>* four_step_twiddles = nullptr;
};

/// What passes of the forms of fused four-step kernels need beside the tables of other passes: see FixedFourStepKernel and
/// FixedFourStepConvolutionKernel.
template <class Real>
struct FourStepTables {
  const Complex<Real>* second_twiddles = nullptr;
  const Complex<Real>* four_step_powers = nullptr;
  Complex<Real>* ring = nullptr;
  std::uint32_t* words = nullptr;
  const Complex<Real>* roots = nullptr;  ///< of the forms from and to real numbers
  int lag = 0;
  int slots = 0;
  int line_rows = 0;  ///< of PassForm::fused_last_passes
};

/// One pass over memory. It lies in memory of the device that runs it (a kernel itself can hold but a few words), and so does
/// what it points to.
template <class Real>
struct Pass : PassWork<Real> {
  PassLoop loops[max_loops];  ///< outermost first
  int loop_count = 0;
  int batch_loop = 0;  ///< the one whose count each launch gives
  FourStepTables<Real> four_step{};
  /// Of the forms of convolutions: the spectrum of the Bluestein filter, in the order of the kernel.
  const Complex<Real>* filter_spectrum = nullptr;

  void add_loop(const PassLoop& loop) { loops[loop_count++] = loop; }
};

/// The part of a pass that one launch does: loops from `first` on, of which one and the batch have counts of their own.
struct PassWindow {
  int first;
  int chunk_loop;
  index_t chunk_count;
  index_t batch_count;

  /// How often loop `index` of `pass` is gone through.
  template <class Real>
  [[nodiscard]] [[gnu::always_inline]] constexpr index_t count(const Pass<Real>& pass, int index) const {
    return index == chunk_loop ? chunk_count : index == pass.batch_loop ? batch_count : pass.loops[index].count;
  }
};

/// Teams that this part of a pass needs.
template <class Real>
constexpr index_t pass_groups(const Pass<Real>& pass, const PassWindow& window) {
  index_t groups = 1;
  for (int index = window.first; index < pass.loop_count; ++index) {
    const index_t count = window.count(pass, index);
    groups *= index + 1 < pass.loop_count ? count : ceil_div(count, pass.width);
  }
  return groups;
}

/// Returns a / b; a division of 64 bits takes a GPU about a hundred instructions, one of 32 a fifth of that.
[[gnu::always_inline]] constexpr index_t quotient(index_t a, index_t b) {
  if (((a | b) >> 32) == 0) {
    return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
  }
  return a / b;
}

/// The transforms of one team: places in memory and positions of the first element of the first, and what neighbours add.
struct PassTile {
  unsigned width;
  index_t from;
  index_t to;
  index_t from_position;
  index_t to_position;
  index_t first_twiddle;
  PassLoop step;
};

template <class Real>
[[gnu::always_inline]] constexpr PassTile tile_of(const Pass<Real>& pass, const PassWindow& window, int width, index_t group) {
  const int last = pass.loop_count - 1;
  const index_t inner_count = window.count(pass, last);
  const index_t tiles = ceil_div(inner_count, width);
  index_t rest = quotient(group, tiles);
  const index_t first = (group - rest * tiles) * width;
  const index_t left = inner_count - first;
  const PassLoop step = pass.loops[last];
  PassTile tile{static_cast<unsigned>(left < width ? left : width),
                first * step.from,
                first * step.to,
                first * step.from_position,
                first * step.to_position,
                first * step.twiddle_step,
                step};
  for (int index = last - 1; index >= window.first; --index) {
    const index_t count = window.count(pass, index);
    const index_t outer = quotient(rest, count);
    const index_t now = rest - outer * count;
    rest = outer;
    const PassLoop& loop = pass.loops[index];
    tile.from += now * loop.from;
    tile.to += now * loop.to;
    tile.from_position += now * loop.from_position;
    tile.to_position += now * loop.to_position;
    tile.first_twiddle += now * loop.twiddle_step;
  }
  return tile;
}

/// One of the items that a team goes through, of `count` in each of its transforms, such that items that follow each other are
/// neighbours in memory: `along` a transform or `across` from one to the next.
struct TileItem {
  unsigned transform;
  unsigned index;
};
[[gnu::always_inline]] constexpr TileItem item_of(unsigned item, unsigned count, unsigned width, index_t along, index_t across) {
  if (along <= across) {
    return {item / count, item % count};
  }
  return {item % width, item / width};
}

/// The place in scratch of element `i` of a team's tile. Padding after 16 and 256 elements keeps the strides of powers of two off
/// one memory bank of a GPU and off one cache set of a processor.
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
