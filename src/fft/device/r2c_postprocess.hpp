#pragma once
#include "fft/device/pass/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Pairs of elements of a team, in each of its lines.
inline constexpr unsigned r2c_postprocess_block = 1024;

/// Makes transforms of 2m real numbers of those of m complex numbers x[2j] + i x[2j + 1], in place: elements k and m - k of a
/// line from one another. m is pass->store.count; the position of a tile is its first k.
template <class Real, int TeamSize>
struct R2cPostprocessKernel {
  static constexpr int team_size = TeamSize;
  struct Scratch {};
  using Value = Complex<Real>;

  const Pass<Real>* pass;
  PassWindow window;
  Real* first;
  Real* second;
  index_t pitch;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    const PassTile tile = tile_of(*pass, window, pass->width, team.league_rank());
    const index_t m = pass->store.count;
    const index_t step = pass->to_step;
    const Value* const roots = pass->store.r2c_roots;
    const index_t left = m / 2 + 1 - tile.to_position;
    const unsigned count = left < r2c_postprocess_block ? static_cast<unsigned>(left) : r2c_postprocess_block;
    for (unsigned i = team.rank(); i < tile.width * count; i += team.size()) {
      const TileItem item = item_of(i, count, tile.width, step, tile.step.to);
      const index_t k = tile.to_position + item.index;
      const index_t line = tile.to + item.transform * tile.step.to;
      const Value here = at(line + k * step);
      const Value opposite = k == 0 ? here : at(line + (m - k) * step);
      put(line + k * step, r2c_postprocessed(here, opposite, roots[k]));
      put(line + (m - k) * step, r2c_postprocessed(opposite, here, roots[m - k]));
    }
  }

 private:
  [[gnu::always_inline]] Value at(index_t offset) const { return {first[pitch * offset], second[pitch * offset]}; }
  [[gnu::always_inline]] void put(index_t offset, Value value) const {
    first[pitch * offset] = value.re;
    second[pitch * offset] = value.im;
  }
};

}  // namespace phpc::fft
