#pragma once
#include <cstdint>
#include <limits>

#include "fft/device/general/stages/memory.hpp"
#include "fft/device/pass/pass.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// Where a team's tile of a pass with strides lies in memory. One of its threads works this out, and all read it in scratch,
/// behind the elements, each number when they need it.
template <class Real>
struct GeneralTile {
  const Complex<Real>* source;
  Complex<Real>* target;
  const Complex<Real>* fine;  ///< see PassWork
  const Complex<Real>* coarse;
  Real scale;
  unsigned from_step;  ///< between the elements of a transform
  unsigned to_step;
  unsigned fine_shift;
  unsigned first_twiddle;  ///< of the first transform: its element e is multiplied by twiddle e * first_twiddle of the passes
  unsigned twiddle_step;   ///< from one to the next
  unsigned live;           ///< transforms
  unsigned swaps;          ///< sum of the numbers below
};
/// When real and imaginary parts are swapped: as elements are read, before the product with their factors as they are written,
/// and after it.
inline constexpr unsigned swap_read = 1;
inline constexpr unsigned swap_written = 2;
inline constexpr unsigned swap_before_factors = 4;

/// A GeneralTile of a pass with factors, with the positions of its elements.
template <class Real>
struct FactorTile : GeneralTile<Real> {
  const Complex<Real>* load_factors;  ///< of the first element's position and those behind it; nullptr: none
  const Complex<Real>* store_factors;
  unsigned load_count;  ///< elements from that position on; others are 0
  unsigned store_count;
  unsigned from;  ///< between the first elements of neighbours
  unsigned to;
  unsigned from_position;  ///< the same in positions
  unsigned to_position;
  unsigned from_position_step;  ///< between the elements of a transform
  unsigned to_position_step;
};

/// The loops that one launch goes through, in numbers of 32 bits: the first and the last one, those that have counts of their own
/// (see PassWindow), and the tiles of the last one.
struct TileLoops {
  std::uint8_t first = 0;
  std::uint8_t last = 0;
  std::uint8_t chunk_loop = 0;
  std::uint8_t batch_loop = 0;
  unsigned chunk_count = 0;
  unsigned batch_count = 0;
  unsigned tiles = 0;  ///< 0: a count does not fit

  [[nodiscard, gnu::always_inline]] constexpr unsigned count(const PassLoop& loop, int index) const {
    return index == chunk_loop ? chunk_count : index == batch_loop ? batch_count : static_cast<unsigned>(loop.count);
  }
};

template <class Real>
TileLoops tile_loops(const Pass<Real>& pass, const PassWindow& window, int width) {
  TileLoops loops;
  constexpr index_t most = std::numeric_limits<int>::max();
  for (int index = window.first; index < pass.loop_count; ++index) {
    if (window.count(pass, index) > most) {
      return loops;
    }
  }
  loops.first = static_cast<std::uint8_t>(window.first);
  loops.last = static_cast<std::uint8_t>(pass.loop_count - 1);
  loops.chunk_loop = static_cast<std::uint8_t>(window.chunk_loop);
  loops.batch_loop = static_cast<std::uint8_t>(pass.batch_loop);
  loops.chunk_count = static_cast<unsigned>(window.chunk_count);
  loops.batch_count = static_cast<unsigned>(window.batch_count);
  loops.tiles = static_cast<unsigned>(ceil_div(window.count(pass, loops.last), width));
  return loops;
}

/// Works out the tile of team `group`, whose transforms are `width` neighbours in the last loop, without what FactorTile adds.
/// Returns the positions of its first element on both sides where Counts says so, else zeros. All that is read at once is read
/// before the first write, so that it is on its way together.
struct TilePositions {
  index_t from = 0;
  index_t to = 0;
};
template <bool Counts, class Real>
[[gnu::always_inline]] inline TilePositions set_tile(GeneralTile<Real>& tile, const Pass<Real>& pass, const TileLoops& loops,
                                                     unsigned width, unsigned group, const Complex<Real>* in,
                                                     Complex<Real>* out) {
  const int last = loops.last;
  const PassLoop& inner = pass.loops[last];
  const unsigned count = loops.count(inner, last);
  const auto twiddle_step = static_cast<unsigned>(inner.twiddle_step);
  const index_t from = inner.from;
  const index_t to = inner.to;
  TilePositions positions;
  GeneralTile<Real> now{in,
                        out,
                        pass.fine,
                        pass.coarse,
                        pass.store.scale,
                        static_cast<unsigned>(pass.from_step),
                        static_cast<unsigned>(pass.to_step),
                        static_cast<unsigned>(pass.fine_shift),
                        0,
                        twiddle_step,
                        0,
                        (pass.load.swap ? swap_read : 0U) | (pass.store.swap_last ? swap_written : 0U)};
  unsigned rest = loops.first == last ? 0 : group / loops.tiles;
  const unsigned first = (group - rest * loops.tiles) * width;
  now.live = count - first < width ? count - first : width;
  now.first_twiddle = first * twiddle_step;
  now.source += first * from;
  now.target += first * to;
  if constexpr (Counts) {
    positions = {first * inner.from_position, first * inner.to_position};
  }
  for (int index = last - 1; index >= loops.first; --index) {
    const PassLoop& loop = pass.loops[index];
    unsigned place = rest;
    if (index > loops.first) {
      const unsigned iterations = loops.count(loop, index);
      rest = place / iterations;
      place -= rest * iterations;
    }
    now.source += place * loop.from;
    now.target += place * loop.to;
    now.first_twiddle += place * static_cast<unsigned>(loop.twiddle_step);
    if constexpr (Counts) {
      positions.from += place * loop.from_position;
      positions.to += place * loop.to_position;
    }
  }
  tile = now;
  return positions;
}

}  // namespace phpc::fft
