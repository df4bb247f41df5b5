#pragma once
#include "fft/device/general/ends/ends.hpp"
#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/tile.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/device/pass/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// The tile of a team of RealColumns.
template <class Real>
struct RealTile : GeneralTile<Real> {
  const Real* from_reals;  ///< the first number of the tile's first column; nullptr: of a pass to real numbers
  Real* to_reals;
  unsigned real_step;  ///< real numbers between the elements of a column
  unsigned row_step;   ///< of a pass to real numbers: complex numbers between the rows of neighbouring columns
  unsigned columns;    ///< that the line has from the tile's first one on
};

/// Ends for columns of real numbers, two neighbours as the real and the imaginary parts of one transform (Cooley, Lewis, Welch,
/// "The fast Fourier transform algorithm: programming considerations", J. Sound Vib. 12, 1970): the first pass over lines of n =
/// L M real numbers, of which element e of column j is x[e M + j], or the last pass to them. Of the spectrum of a column,
/// conjugate pairs, memory holds elements 0 ... L/2, so that no pass moves more than real numbers take, whether n is even or odd.
/// Only two columns of one line share a transform. From real numbers, element k of column j goes to place k M + j, multiplied by
/// its twiddle between passes; to real numbers, that of column j is at place j (L/2 + 1) + k. The real sides are counted in
/// positions (PassLoop), the others in places.
template <class Real>
struct RealColumns {
  using Value = Complex<Real>;
  using Tile = RealTile<Real>;
  static constexpr EndsTraits traits{.has_tiles = true, .has_factors = true, .has_halves = true};

  const void* in;
  void* out;
  const Pass<Real>* pass;
  TileLoops loops;
  unsigned
      pairs;  ///< where the places of elements k and L - k of a transform begin among the items: by its input, then its result
  unsigned columns;  ///< of the innermost loop
  bool is_from_reals;

  [[gnu::always_inline]] bool loads_in_order() const { return !is_from_reals; }
  [[gnu::always_inline]] bool stores_in_order() const { return is_from_reals; }

  [[gnu::always_inline]] void set(Tile& tile, const exec::Team& team, const GeneralWork<Real>& work) const {
    const auto group = static_cast<unsigned>(team.league_rank());
    const auto* const values = is_from_reals ? nullptr : static_cast<const Value*>(in);
    auto* const results = is_from_reals ? static_cast<Value*>(out) : nullptr;
    const TilePositions first = set_tile<true>(tile, *pass, loops, work.width, group, values, results);
    tile.from_reals = is_from_reals ? static_cast<const Real*>(in) + first.from : nullptr;
    tile.to_reals = is_from_reals ? nullptr : static_cast<Real*>(out) + first.to;
    tile.real_step = static_cast<unsigned>(is_from_reals ? pass->from_position : pass->to_position);
    tile.row_step = static_cast<unsigned>(pass->loops[loops.last].from / 2);
    tile.columns = columns - 2 * (group % loops.tiles) * work.width;
  }
  [[gnu::always_inline]] unsigned live_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->live);
  }

  /// Items are those of FactorTiles.
  template <int R>
  [[gnu::always_inline]] static void read(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile* tile) {
    const unsigned step = scratch_now(tile->real_step);
    const Real* const source = scratch_now(tile->from_reals) + (2 * item.offset + item.twiddle * step);
    const bool has_second = 2 * item.offset + 1 < scratch_now(tile->columns);
    const Real* const second = source + (has_second ? 1 : 0);
    const unsigned distance = items * step;
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = {source[static_cast<std::size_t>(q) * distance], second[static_cast<std::size_t>(q) * distance]};
    }
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q].im = has_second ? v[q].im : Real{0};
    }
  }

  template <int R>
  [[gnu::always_inline]] static void write(Value (&v)[R], const GeneralItem& item, unsigned items, unsigned /*length*/,
                                           const Tile* tile) {
    const unsigned step = scratch_now(tile->real_step);
    Real* const target = scratch_now(tile->to_reals) + (2 * item.offset + item.twiddle * step);
    const bool has_second = 2 * item.offset + 1 < scratch_now(tile->columns);
    const unsigned distance = items * step;
    const Real scale = scratch_now(tile->scale);
    const bool swaps = (scratch_now(tile->swaps) & swap_written) != 0;
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      const Value value = scaled(v[q], scale);
      Real* const place = target + static_cast<std::size_t>(q) * distance;
      place[0] = swaps ? value.im : value.re;
      if (has_second) {
        place[1] = swaps ? value.re : value.im;
      }
    }
  }

  /// Rows of two columns, of which z = a + i b: element k gives z[k], and its conjugate z[L - k]. Where parts trade places as
  /// results are written, those of a and b have done so before, and those of z do.
  template <int Flight>
  [[gnu::always_inline]] void team_load(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                        Value* data) const {
    const unsigned half = work.length / 2U + 1;
    const unsigned all = scratch_now(tile.live) * half;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned row_step = scratch_now(tile.row_step);
    const unsigned own = scratch_now(tile.columns);
    const Value* const source = scratch_now(tile.source);
    const bool swaps = (scratch_now(tile.swaps) & swap_written) != 0;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      Value first[Flight]{};
      Value second[Flight]{};
      GeneralItem items[Flight];
      unsigned transforms[Flight];
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        transforms[f] = i / half;
        const unsigned k = i % half;
        items[f] = i < all ? table_entry(work.items + (pairs + k)) : GeneralItem{};
        const Value* const row = source + (std::size_t{2 * transforms[f]} * row_step + k);
        first[f] = load_streaming_if(i < all, row);
        second[f] = load_streaming_if(i < all && 2 * transforms[f] + 1 < own, row + row_step);
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          const bool is_own = items[f].place == items[f].twiddle;  // the element is its own conjugate
          Value a = swaps ? swapped(first[f]) : first[f];
          Value b = swaps ? swapped(second[f]) : second[f];
          a.im = is_own ? Real{0} : a.im;
          b.im = is_own ? Real{0} : b.im;
          const Value here{a.re - b.im, a.im + b.re};
          const Value there{a.re + b.im, b.re - a.im};
          const unsigned begins = transforms[f] * work.pitch;
          ScratchElements<Real>(data, begins + items[f].place, 0).set(0, swaps ? swapped(here) : here);
          if (!is_own) {
            ScratchElements<Real>(data, begins + items[f].twiddle, 0).set(0, swaps ? swapped(there) : there);
          }
        }
      }
    }
  }

  /// Of the transform z of a + i b: a[k] = (z[k] + conj z[L - k]) / 2 and b[k] = (z[k] - conj z[L - k]) / 2 i.
  template <int Flight>
  [[gnu::always_inline]] void team_store(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                         Value* data) const {
    const unsigned half = work.length / 2U + 1;
    const unsigned twice = 2 * scratch_now(tile.live);
    const unsigned own = scratch_now(tile.columns);
    const unsigned across = twice < own ? twice : own;
    const unsigned all = half * across;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned step = scratch_now(tile.to_step);
    const unsigned first_twiddle = scratch_now(tile.first_twiddle);
    Value* const target = scratch_now(tile.target);
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      unsigned elements[Flight];
      unsigned at[Flight];
      Value twiddles[Flight]{};
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        elements[f] = i / across;
        at[f] = i % across;
        items[f] = i < all ? table_entry(work.items + (pairs + half + elements[f])) : GeneralItem{};
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          twiddles[f] = four_step_twiddle_at(elements[f] * (first_twiddle + at[f]), &tile);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (begin + static_cast<unsigned>(f) * size < all) {
          const unsigned begins = at[f] / 2 * work.pitch;
          const Value here = ScratchElements<Real>(data, begins + items[f].place, 0).get(0);
          const Value there = conj(ScratchElements<Real>(data, begins + items[f].twiddle, 0).get(0));
          const Value sum = here + there;
          const Value difference = here - there;
          const bool is_second = at[f] % 2 != 0;
          const Value value{is_second ? difference.im : sum.re, is_second ? -difference.re : sum.im};
          store_streaming(target + (std::size_t{elements[f]} * step + at[f]), scaled(value * twiddles[f], Real{0.5}));
        }
      }
    }
  }
};

}  // namespace phpc::fft
