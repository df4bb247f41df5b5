#pragma once
#include <bit>
#include <cstddef>

#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/general/stages/tile.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "phpc/exec/team.hpp"

/// Ends of the general kernel: where its tiles lie in memory, and what happens to elements as they are read and written.
namespace phpc::fft {

/// Ends for rows of complex numbers that lie one after another in one loop. Addresses are computed anew wherever they are used,
/// so that few of a thread's registers are held across a stage.
template <class Real>
struct RowEnds {
  using Value = Complex<Real>;
  struct Tile {};
  static constexpr EndsTraits traits{};

  const Value* in;
  Value* out;
  index_t from;  ///< between the first elements of neighbours
  index_t to;
  /// Imaginary parts are multiplied by the first as they are read, both parts by the others as they are written: an inverse
  /// transform is the forward one between two conjugations.
  Real load_imaginary;
  Real store_real;
  Real store_imaginary;
  unsigned count;  ///< transforms

  /// The number of the team's first transform.
  [[gnu::always_inline]] unsigned first_of(const exec::Team& team, unsigned width) const {
    return known_now(static_cast<unsigned>(team.league_rank())) * width;
  }
  /// How many the team has.
  [[gnu::always_inline]] unsigned live_of(const exec::Team& team, unsigned width, const Tile* /*tile*/) const {
    const unsigned left = count - first_of(team, width);
    return left < width ? left : width;
  }
  [[gnu::always_inline]] const Value* source_of(const exec::Team& team, unsigned width, const Tile* /*tile*/) const {
    return in + first_of(team, width) * from;
  }
  [[gnu::always_inline]] Value* target_of(const exec::Team& team, unsigned width, const Tile* /*tile*/) const {
    return out + first_of(team, width) * to;
  }

  template <int R>
  [[gnu::always_inline]] void read(Value (&v)[R], const Value* source, std::size_t step, const Tile* /*tile*/) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = loaded(source + static_cast<std::size_t>(q) * step);
    }
  }
  template <int R>
  [[gnu::always_inline]] void write(const Value (&v)[R], Value* target, std::size_t step, const Tile* /*tile*/) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      store(target + static_cast<std::size_t>(q) * step, v[q]);
    }
  }

  [[gnu::always_inline]] Value loaded(const Value* source) const {
    const Value value = load_streaming(source);
    return {value.re, value.im * load_imaginary};
  }
  [[gnu::always_inline]] void store(Value* target, Value value) const {
    store_streaming(target, Value{value.re * store_real, value.im * store_imaginary});
  }
};

/// Returns exp(-2 pi i k / n), by the two tables of twiddles between passes.
template <class Real>
[[gnu::always_inline]] inline Complex<Real> four_step_twiddle_at(unsigned k, const GeneralTile<Real>* tile) {
  const unsigned shift = scratch_now(tile->fine_shift);
  return table_entry(scratch_now(tile->coarse) + (k >> shift)) * table_entry(scratch_now(tile->fine) + (k & ((1U << shift) - 1)));
}

/// Multiplies elements e, e + items, ... of a transform of the tile by their twiddles between passes: exp(-2 pi i t e / n), where
/// t = first_twiddle + transform * twiddle_step. Each fourth twiddle is read, the others are products. Elements from `count` on,
/// which convolutions have, are left as numbers of no meaning: the tables do not reach there.
template <int R, class Real>
[[gnu::always_inline]] inline void thread_apply_four_step_twiddles(Complex<Real> (&v)[R], unsigned transform, unsigned element,
                                                                   unsigned items, unsigned count,
                                                                   const GeneralTile<Real>* tile) {
  const unsigned t = scratch_now(tile->first_twiddle) + transform * scratch_now(tile->twiddle_step);
  const Complex<Real> step = four_step_twiddle_at(t * items, tile);
  unsigned power = t * element;
#pragma GCC unroll 8
  for (int begin = 0; begin < R; begin += 4) {
    Complex<Real> now = four_step_twiddle_at(element + static_cast<unsigned>(begin) * items < count ? power : 0, tile);
    power += 4 * t * items;
    v[begin] = v[begin] * now;
#pragma GCC unroll 4
    for (int r = begin + 1; r < (begin + 4 < R ? begin + 4 : R); ++r) {
      now = now * step;
      v[r] = v[r] * now;
    }
  }
}

/// Ends for tiles of a pass of interleaved or planar complex numbers; the pass lies in the device's memory with its loops.
template <class Real>
struct PassTiles {
  using Value = Complex<Real>;
  using Tile = GeneralTile<Real>;
  static constexpr EndsTraits traits{.has_tiles = true};

  const Value* in;  ///< of planar numbers the real parts: elements are counted as if from here on
  Value* out;
  const Pass<Real>* pass;
  TileLoops loops;
  const Real* in_imaginary;  ///< of planar numbers; nullptr: interleaved
  Real* out_imaginary;

  [[gnu::always_inline]] static bool loads_in_order() { return false; }
  [[gnu::always_inline]] static bool stores_in_order() { return false; }
  [[gnu::always_inline]] void set(Tile& tile, const exec::Team& team, unsigned width) const {
    set_tile<false>(tile, *pass, loops, width, static_cast<unsigned>(team.league_rank()), in, out);
  }

  [[gnu::always_inline]] unsigned live_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->live);
  }
  [[gnu::always_inline]] const Value* source_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->source);
  }
  [[gnu::always_inline]] Value* target_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->target);
  }

  // Elements of a tile are less than 2^32 places apart.

  template <int R>
  [[gnu::always_inline]] void read(Value (&v)[R], const Value* source, unsigned step, const Tile* tile) const {
    const unsigned distance = step * scratch_now(tile->from_step);
    const bool swaps = (scratch_now(tile->swaps) & swap_read) != 0;
    if (in_imaginary != nullptr) {
      const Real* const re = reinterpret_cast<const Real*>(in) + (source - in);
      const Real* const im = in_imaginary + (source - in);
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        const std::size_t place = static_cast<std::size_t>(q) * distance;
        v[q] = {load_streaming((swaps ? im : re) + place), load_streaming((swaps ? re : im) + place)};
      }
      return;
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const Value value = load_streaming(source + static_cast<std::size_t>(q) * distance);
      v[q] = {swaps ? value.im : value.re, swaps ? value.re : value.im};
    }
  }
  template <int R>
  [[gnu::always_inline]] void write(const Value (&v)[R], Value* target, unsigned step, const Tile* tile) const {
    const unsigned distance = step * scratch_now(tile->to_step);
    const bool swaps = (scratch_now(tile->swaps) & swap_written) != 0;
    const Real scale = scratch_now(tile->scale);
    if (out_imaginary != nullptr) {
      Real* const re = reinterpret_cast<Real*>(out) + (target - out);
      Real* const im = out_imaginary + (target - out);
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        const std::size_t place = static_cast<std::size_t>(q) * distance;
        const Value value = scaled(v[q], scale);
        store_streaming((swaps ? im : re) + place, value.re);
        store_streaming((swaps ? re : im) + place, value.im);
      }
      return;
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const Value value = scaled(v[q], scale);
      store_streaming(target + static_cast<std::size_t>(q) * distance,
                      Value{swaps ? value.im : value.re, swaps ? value.re : value.im});
    }
  }

  /// Twiddles between passes of elements e, e + items, ... of a transform, whose number and e come packed.
  template <int R>
  [[gnu::always_inline]] static void apply_four_step_twiddles(Value (&v)[R], unsigned packed, unsigned width, unsigned items,
                                                              const Tile* tile) {
    if (scratch_now(tile->fine) != nullptr) {
      const auto bits = static_cast<unsigned>(std::bit_width(width - 1));
      constexpr unsigned all = ~0U;
      thread_apply_four_step_twiddles(v, packed & ((1U << bits) - 1), packed >> bits, items, all, tile);
    }
  }
};

}  // namespace phpc::fft
