#pragma once
#include <limits>

#include "fft/device/general/ends/ends.hpp"
#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/stages/convolution_tables.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/tile.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/device/pass/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Ends for tiles of interleaved complex numbers that are multiplied by factors of their positions as they are read or written,
/// and for tiles whose transforms are convolutions (Bluestein's, whose factors are those of its chirp). The first stage reads
/// memory and the last one writes it: elements that are zeros are not loaded at all, and a convolution of two stages goes through
/// scratch twice, where ConvolvedTiles take four times.
template <class Real, bool IsConvolved>
struct FactorTiles {
  using Value = Complex<Real>;
  using Tile = FactorTile<Real>;
  static constexpr EndsTraits traits{.has_tiles = true, .has_factors = true, .has_convolution = IsConvolved};

  const Value* in;
  Value* out;
  const Pass<Real>* pass;
  TileLoops loops;
  ConvolutionTables<Real> convolution;

  [[gnu::always_inline]] static bool loads_in_order() { return false; }
  [[gnu::always_inline]] static bool stores_in_order() { return false; }

  [[gnu::always_inline]] void set(Tile& tile, const exec::Team& team, const GeneralWork<Real>& work) const {
    const TilePositions first =
        set_tile<true>(tile, *pass, loops, work.width, static_cast<unsigned>(team.league_rank()), in, out);
    tile.swaps |= trades() || pass->store.swap_first ? swap_before_factors : 0U;
    if constexpr (IsConvolved) {
      set_steps(tile);
      tile.load_factors = convolution.chirp;
      tile.store_factors = convolution.chirp;
      tile.load_count = work.length;
      tile.store_count = work.length;
      tile.from_position = 0;
      tile.to_position = 0;
      tile.from_position_step = 1;
      tile.to_position_step = 1;
    } else {
      set_factors(tile, first);
    }
  }

  [[gnu::always_inline]] unsigned live_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->live);
  }

  /// Of an item here, the offset is the number of its transform in the tile, and the twiddle, in the first stage and in the last
  /// one, that of its first element; its elements are `items` apart.
  template <int R>
  [[gnu::always_inline]] static void read(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile* tile) {
    const unsigned step = scratch_now(tile->from_step);
    const Value* const source = scratch_now(tile->source) + (item.offset * scratch_now(tile->from) + item.twiddle * step);
    const unsigned distance = items * step;
    const bool swaps = (scratch_now(tile->swaps) & swap_read) != 0;
    const Value* const factors = scratch_now(tile->load_factors);
    if (factors == nullptr) {
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        v[q] = swapped_if(swaps, load_streaming(source + static_cast<std::size_t>(q) * distance));
      }
      return;
    }
    const unsigned position_step = scratch_now(tile->from_position_step);
    const unsigned position = item.offset * scratch_now(tile->from_position) + item.twiddle * position_step;
    const unsigned apart = items * position_step;
    const unsigned count = scratch_now(tile->load_count);
    const bool has_more = reaches_half<R>(apart, count);
    constexpr int half = (R + 1) / 2;
#pragma GCC unroll 32
    for (int q = half; q < R; ++q) {
      v[q] = {};
    }
    load_some<0, half>(v, source, distance, position, apart, count);
    if (has_more) {
      load_some<half, R>(v, source, distance, position, apart, count);
    }
    multiply_some<0, half>(v, swaps, factors, position, apart, count);
    if (has_more) {
      multiply_some<half, R>(v, swaps, factors, position, apart, count);
    }
  }

  /// `length`: of the line.
  template <int R>
  [[gnu::always_inline]] static void write(Value (&v)[R], const GeneralItem& item, unsigned items, unsigned length,
                                           const Tile* tile) {
    const unsigned swaps = scratch_now(tile->swaps);
    if ((swaps & swap_before_factors) != 0) {
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        v[q] = swapped(v[q]);
      }
    }
    if (scratch_now(tile->fine) != nullptr) {
      thread_apply_four_step_twiddles(v, item.offset, item.twiddle, items, length, tile);
    }
    const Value* const factors = scratch_now(tile->store_factors);
    const unsigned position_step = scratch_now(tile->to_position_step);
    const unsigned position = item.offset * scratch_now(tile->to_position) + item.twiddle * position_step;
    const unsigned apart = items * position_step;
    const unsigned count = scratch_now(tile->store_count);
    const unsigned step = scratch_now(tile->to_step);
    Value* const target = scratch_now(tile->target) + (item.offset * scratch_now(tile->to) + item.twiddle * step);
    const unsigned distance = items * step;
    const Real scale = scratch_now(tile->scale);
    const bool swaps_last = (swaps & swap_written) != 0;
    if (factors != nullptr) {
      constexpr int half = (R + 1) / 2;
      store_some<0, half>(v, swaps_last, scale, factors, target, distance, position, apart, count);
      if (reaches_half<R>(apart, count)) {
        store_some<half, R>(v, swaps_last, scale, factors, target, distance, position, apart, count);
      }
      return;
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const unsigned at = position + static_cast<unsigned>(q) * apart;
      store_streaming_if(at < count, target + static_cast<std::size_t>(q) * distance,
                         swapped_if(swaps_last, scaled(v[q], scale)));
    }
  }

  /// Between the two transforms: R results of one butterfly, `items` apart in the spectrum.
  template <int R>
  [[gnu::always_inline]] void filter(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile* tile) const {
    const Value* factors = convolution.spectrum + item.twiddle;
    if (convolution.spectrum_step > 0) {
      factors += (scratch_now(tile->first_twiddle) + item.offset * scratch_now(tile->twiddle_step)) * convolution.spectrum_step;
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = swapped(v[q] * table_entry(factors + static_cast<unsigned>(q) * items));
    }
  }

 protected:
  /// Whether results have the parts of numbers traded: those of a convolution, but where a pass back follows.
  [[gnu::always_inline]] bool trades() const { return IsConvolved && convolution.spectrum_step == 0; }
  [[gnu::always_inline]] void set_steps(Tile& tile) const {
    const PassLoop& inner = pass->loops[loops.last];
    tile.from = static_cast<unsigned>(inner.from);
    tile.to = static_cast<unsigned>(inner.to);
  }
  /// Those of the pass, from the positions of the tile's first element on.
  [[gnu::always_inline]] void set_factors(Tile& tile, const TilePositions& first) const {
    set_steps(tile);
    const PassLoop& inner = pass->loops[loops.last];
    tile.load_factors = pass->load.factors != nullptr ? pass->load.factors + first.from : nullptr;
    tile.store_factors = pass->store.factors != nullptr ? pass->store.factors + first.to : nullptr;
    tile.load_count = left(pass->load.count, first.from);
    tile.store_count = left(pass->store.count, first.to);
    tile.from_position = static_cast<unsigned>(inner.from_position);
    tile.to_position = static_cast<unsigned>(inner.to_position);
    tile.from_position_step = static_cast<unsigned>(pass->from_position);
    tile.to_position_step = static_cast<unsigned>(pass->to_position);
  }

 private:
  /// Whether any of a tile's butterflies of radix R has elements of the line in its second half. Those of convolutions have none
  /// in the first stage and none that are stored in the last one, by which a team does not go through them one by one.
  template <int R>
  [[gnu::always_inline]] static bool reaches_half(unsigned apart, unsigned count) {
    return static_cast<unsigned>((R + 1) / 2) * apart < count;
  }
  /// Elements Begin to End of a butterfly, whose positions are `apart`; those from `count` on are 0.
  template <int Begin, int End, int R>
  [[gnu::always_inline]] static void load_some(Value (&v)[R], const Value* source, unsigned distance, unsigned position,
                                               unsigned apart, unsigned count) {
#pragma GCC unroll 32
    for (int q = Begin; q < End; ++q) {
      v[q] =
          load_streaming_if(position + static_cast<unsigned>(q) * apart < count, source + static_cast<std::size_t>(q) * distance);
    }
  }
  template <int Begin, int End, int R>
  [[gnu::always_inline]] static void multiply_some(Value (&v)[R], bool swaps, const Value* factors, unsigned position,
                                                   unsigned apart, unsigned count) {
#pragma GCC unroll 32
    for (int q = Begin; q < End; ++q) {
      const unsigned at = position + static_cast<unsigned>(q) * apart;
      v[q] = swapped_if(swaps, v[q]) * table_entry_if(at < count, factors + at);
    }
  }
  template <int Begin, int End, int R>
  [[gnu::always_inline]] static void store_some(const Value (&v)[R], bool swaps_last, Real scale, const Value* factors,
                                                Value* target, unsigned distance, unsigned position, unsigned apart,
                                                unsigned count) {
#pragma GCC unroll 32
    for (int q = Begin; q < End; ++q) {
      const unsigned at = position + static_cast<unsigned>(q) * apart;
      const Value value = scaled(v[q] * table_entry_if(at < count, factors + at), scale);
      store_streaming_if(at < count, target + static_cast<std::size_t>(q) * distance, swapped_if(swaps_last, value));
    }
  }

  /// Elements from the tile's first position on, of so many of the line.
  [[gnu::always_inline]] static unsigned left(index_t count, index_t position) {
    constexpr index_t most = std::numeric_limits<unsigned>::max();
    const index_t behind = count - position;
    return static_cast<unsigned>(behind < 0 ? 0 : behind < most ? behind : most);
  }
  [[gnu::always_inline]] static Value swapped_if(bool swaps, Value value) {
    return {swaps ? value.im : value.re, swaps ? value.re : value.im};
  }
};

}  // namespace phpc::fft
