#pragma once
#include "fft/device/general/ends/factor_tiles.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/tile.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/device/pass/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Of a tile's `swaps` (tile.hpp): its first element is that of position 0.
inline constexpr unsigned begins_at_zero = 8;

/// Ends like FactorTiles for lines of an odd number of real numbers, of which one side may be those and the other one half of a
/// spectrum: a convolution that makes a half spectrum of n numbers, or n numbers of a half spectrum, has n + n / 2 elements at
/// least, not 2 n (ChirpExtents). To real numbers, x[j] is the real part of the sum over k <= n / 2 of X[k] exp(2 pi i j k / n),
/// but for k = 0 twice, which the factors say. Factors are those of the pass, for convolutions too.
template <class Real, bool IsConvolved>
struct RealFactorTiles : FactorTiles<Real, IsConvolved> {
  using Value = Complex<Real>;
  using Tile = FactorTile<Real>;

  bool reads_reals;
  bool reads_half;  ///< of element 0 the imaginary part is 0
  bool writes_reals;

  [[gnu::always_inline]] void set(Tile& tile, const exec::Team& team, const GeneralWork<Real>& work) const {
    const TilePositions first = set_tile<true>(tile, *this->pass, this->loops, work.width,
                                               static_cast<unsigned>(team.league_rank()), this->in, this->out);
    tile.swaps |= this->trades() || this->pass->store.swap_first ? swap_before_factors : 0U;
    this->set_factors(tile, first);
    tile.swaps |= first.from == 0 ? begins_at_zero : 0U;
    // Places on a side of real numbers are counted in those.
    if (reads_reals) {
      const auto* const numbers = reinterpret_cast<const Real*>(this->in) + (tile.source - this->in);
      tile.source = reinterpret_cast<const Value*>(numbers);
    }
    if (writes_reals) {
      tile.target = reinterpret_cast<Value*>(reinterpret_cast<Real*>(this->out) + (tile.target - this->out));
    }
  }

  template <int R>
  [[gnu::always_inline]] void read(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile* tile) const {
    const unsigned position_step = scratch_now(tile->from_position_step);
    const unsigned position = item.offset * scratch_now(tile->from_position) + item.twiddle * position_step;
    if (!reads_reals) {
      FactorTiles<Real, IsConvolved>::read(v, item, items, tile);
      if (reads_half && position == 0 && (scratch_now(tile->swaps) & begins_at_zero) != 0) {
        v[0].re = 0;  // parts have traded places, and the factor is 1
      }
      return;
    }
    const unsigned step = scratch_now(tile->from_step);
    const Real* const source =
        reinterpret_cast<const Real*>(scratch_now(tile->source)) + (item.offset * scratch_now(tile->from) + item.twiddle * step);
    const unsigned distance = items * step;
    const unsigned apart = items * position_step;
    const unsigned count = scratch_now(tile->load_count);
    const Value* const factors = scratch_now(tile->load_factors);
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const bool is_there = position + static_cast<unsigned>(q) * apart < count;
      v[q].re = is_there ? source[static_cast<std::size_t>(q) * distance] : Real{0};
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const unsigned at = position + static_cast<unsigned>(q) * apart;
      v[q] = scaled(table_entry_if(at < count, factors + at), v[q].re);
    }
  }

  /// `length`: of the line.
  template <int R>
  [[gnu::always_inline]] void write(Value (&v)[R], const GeneralItem& item, unsigned items, unsigned length,
                                    const Tile* tile) const {
    if (!writes_reals) {
      FactorTiles<Real, IsConvolved>::write(v, item, items, length, tile);
      return;
    }
    const unsigned swaps = scratch_now(tile->swaps);
    const bool swaps_first = (swaps & swap_before_factors) != 0;
    const bool swaps_last = (swaps & swap_written) != 0;
    const unsigned position_step = scratch_now(tile->to_position_step);
    const unsigned position = item.offset * scratch_now(tile->to_position) + item.twiddle * position_step;
    const unsigned apart = items * position_step;
    const unsigned count = scratch_now(tile->store_count);
    const unsigned step = scratch_now(tile->to_step);
    Real* const target =
        reinterpret_cast<Real*>(scratch_now(tile->target)) + (item.offset * scratch_now(tile->to) + item.twiddle * step);
    const unsigned distance = items * step;
    const Real scale = scratch_now(tile->scale);
    const Value* const factors = scratch_now(tile->store_factors);
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const unsigned at = position + static_cast<unsigned>(q) * apart;
      const Value value = (swaps_first ? swapped(v[q]) : v[q]) * table_entry_if(at < count, factors + at);
      if (at < count) {
        target[static_cast<std::size_t>(q) * distance] = (swaps_last ? value.im : value.re) * scale;
      }
    }
  }
};

}  // namespace phpc::fft
