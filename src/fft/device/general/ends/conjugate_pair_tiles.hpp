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

/// How one side of a tile lies in a spectrum of n elements, X[n - k] = conj X[k], of which memory holds the first half. Places
/// count from the tile's first element on: the element of a place behind `middle` is the conjugate of that at `sum` less the
/// place. A side that is no half spectrum has nothing behind the middle.
struct ConjugatePairSide {
  int middle = std::numeric_limits<int>::max();
  int sum = 0;
  int first_own = -1;  ///< places of elements that are their own conjugates: their imaginary parts are 0
  int second_own = -1;

  /// `position`: of the tile's first element.
  [[gnu::always_inline]] static ConjugatePairSide of(unsigned n, index_t position) {
    const int middle = static_cast<int>(n / 2) - static_cast<int>(position);
    return {middle, static_cast<int>(n) - 2 * static_cast<int>(position), -static_cast<int>(position), n % 2 == 0 ? middle : -1};
  }
};

/// The tile of a team of ConjugatePairTiles.
template <class Real>
struct ConjugatePairTile : GeneralTile<Real> {
  ConjugatePairSide half;
  unsigned from;  ///< between the first elements of neighbours
  unsigned to;
};

/// Ends for tiles of interleaved complex numbers that are read from the half of a line's spectrum, in the first pass to real
/// numbers, or written there, in the last pass from them (RealColumns is the pass on their other side). Lines have `rows` rows,
/// of which memory holds those that are not conjugates of others, 0 ... rows / 2: what such a row gives for the other half of the
/// spectrum is written as its conjugate where that belongs. Places on the side of the spectrum are positions of the line too.
/// IsConvolved: transforms are convolutions by Bluestein's algorithm (chirp.hpp), as those of FactorTiles are.
template <class Real, bool IsConvolved>
struct ConjugatePairTiles {
  using Value = Complex<Real>;
  using Tile = ConjugatePairTile<Real>;
  static constexpr EndsTraits traits{.has_tiles = true, .has_factors = true, .has_convolution = IsConvolved};

  const Value* in;
  Value* out;
  const Pass<Real>* pass;
  TileLoops loops;
  unsigned line;  ///< n
  unsigned rows;
  bool is_read;       ///< the half of the spectrum; otherwise it is written
  unsigned elements;  ///< of a transform, without the zeros of a convolution
  ConvolutionTables<Real> convolution;

  [[gnu::always_inline]] static bool loads_in_order() { return false; }
  [[gnu::always_inline]] static bool stores_in_order() { return false; }

  [[gnu::always_inline]] void set(Tile& tile, const exec::Team& team, const GeneralWork<Real>& work) const {
    const TilePositions first =
        set_tile<true>(tile, *pass, loops, work.width, static_cast<unsigned>(team.league_rank()), in, out);
    tile.half = ConjugatePairSide::of(line, is_read ? first.from : first.to);
    tile.from = static_cast<unsigned>(pass->loops[loops.last].from);
    tile.to = static_cast<unsigned>(pass->loops[loops.last].to);
  }
  [[gnu::always_inline]] unsigned live_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->live);
  }

  /// Items are those of FactorTiles.
  template <int R>
  [[gnu::always_inline]] void read(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile* tile) const {
    const unsigned step = scratch_now(tile->from_step);
    const unsigned begin = item.offset * scratch_now(tile->from) + item.twiddle * step;
    const unsigned distance = items * step;
    const Value* const source = scratch_now(tile->source);
    const bool swaps = (scratch_now(tile->swaps) & swap_read) != 0;
    if (!is_read) {
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        const Value* const from = source + (begin + static_cast<std::size_t>(q) * distance);
        v[q] = IsConvolved ? load_streaming_if(is_there(item, items, q), from) : load_streaming(from);
      }
      multiply_by_chirp(v, item, items);
      return;
    }
    const int middle = scratch_now(tile->half.middle);
    const int sum = scratch_now(tile->half.sum);
    const int first_own = scratch_now(tile->half.first_own);
    const int second_own = scratch_now(tile->half.second_own);
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const int place = static_cast<int>(begin + static_cast<unsigned>(q) * distance);
      const Value* const from = source + (place > middle ? sum - place : place);
      v[q] = IsConvolved ? load_streaming_if(is_there(item, items, q), from) : load_streaming(from);
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const int place = static_cast<int>(begin + static_cast<unsigned>(q) * distance);
      const Real imaginary = place == first_own || place == second_own ? Real{0} : place > middle ? -v[q].im : v[q].im;
      v[q] = {swaps ? imaginary : v[q].re, swaps ? v[q].re : imaginary};
    }
    multiply_by_chirp(v, item, items);
  }

  template <int R>
  [[gnu::always_inline]] void write(Value (&v)[R], const GeneralItem& item, unsigned items, unsigned length,
                                    const Tile* tile) const {
    const unsigned step = scratch_now(tile->to_step);
    const unsigned begin = item.offset * scratch_now(tile->to) + item.twiddle * step;
    const unsigned distance = items * step;
    Value* const target = scratch_now(tile->target);
    if constexpr (IsConvolved) {
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        v[q] = swapped(v[q]);
      }
      multiply_by_chirp(v, item, items);
    }
    if (is_read) {
      thread_apply_four_step_twiddles(v, item.offset, item.twiddle, items, length, tile);
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        store_streaming_if(is_there(item, items, q), target + (begin + static_cast<std::size_t>(q) * distance), v[q]);
      }
      return;
    }
    const int middle = scratch_now(tile->half.middle);
    const int sum = scratch_now(tile->half.sum);
    const int first_own = scratch_now(tile->half.first_own);
    const int second_own = scratch_now(tile->half.second_own);
    const unsigned row = scratch_now(tile->first_twiddle) + item.offset * scratch_now(tile->twiddle_step);
    // The half behind the middle of a row that is its own conjugate is written as the half before.
    const bool is_own = row == 0 || 2 * row == rows;
    const Real scale = scratch_now(tile->scale);
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const int place = static_cast<int>(begin + static_cast<unsigned>(q) * distance);
      const bool is_conjugate = place > middle;
      const Value value = scaled(v[q], scale);
      const Real imaginary = place == first_own || place == second_own ? Real{0} : is_conjugate ? -value.im : value.im;
      store_streaming_if(is_there(item, items, q) && (!is_conjugate || !is_own), target + (is_conjugate ? sum - place : place),
                         Value{value.re, imaginary});
    }
  }

  /// See FactorTiles.
  template <int R>
  [[gnu::always_inline]] void filter(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile* /*tile*/) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = swapped(v[q] * table_entry(convolution.spectrum + (item.twiddle + static_cast<unsigned>(q) * items)));
    }
  }

 private:
  /// Whether element q of an item is of the transform, not one of the zeros behind it.
  [[gnu::always_inline]] bool is_there(const GeneralItem& item, unsigned items, int q) const {
    return !IsConvolved || item.twiddle + static_cast<unsigned>(q) * items < elements;
  }
  template <int R>
  [[gnu::always_inline]] void multiply_by_chirp(Value (&v)[R], const GeneralItem& item, unsigned items) const {
    if constexpr (IsConvolved) {
#pragma GCC unroll 32
      for (int q = 0; q < R; ++q) {
        const Value* const factor = convolution.chirp + (item.twiddle + static_cast<unsigned>(q) * items);
        v[q] = v[q] * table_entry_if(is_there(item, items, q), factor);
      }
    }
  }
};

}  // namespace phpc::fft
