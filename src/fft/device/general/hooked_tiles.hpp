#pragma once
#include <cstdint>

#include "fft/device/general/memory.hpp"
#include "fft/device/general/stage.hpp"
#include "fft/device/pass.hpp"
#include "fft/device/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Tiles of any pass: with hooks, and with numbers in any form. Elements go between memory and scratch one by one, in the order
/// of memory, before the first stage and after the last one, so that the hooks' code stands there once and not in every
/// butterfly.
template <class Real>
struct HookedTiles {
  using Value = Complex<Real>;
  using Tile = PassTile;
  static constexpr bool has_tiles = true;
  static constexpr bool has_pairs = false;
  static constexpr bool has_hooks = true;

  PartsLoad<Real> in;
  PartsStore<Real> out;
  const Pass<Real>* pass;
  PassWindow window;
  unsigned elements;  ///< where the elements of a tile begin among the items: those loaded, then those stored

  [[gnu::always_inline]] void set(Tile& tile, const exec::Team& team, unsigned width) const {
    tile = tile_of(*pass, window, static_cast<int>(width), team.league_rank());
  }
  [[gnu::always_inline]] unsigned live_of(const exec::Team& /*team*/, unsigned /*width*/, const Tile* tile) const {
    return scratch_now(tile->width);
  }

  /// So many elements of a thread are on their way at a time.
  template <int Flight>
  [[gnu::always_inline]] void team_load(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                        Value* data) const {
    const LoadHook<Real> hook = pass->load;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      typename PartsLoad<Real>::Fetched fetched[Flight];
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (elements + i)) : no_item();
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (transform_of(items[f]) < tile.width) {
          fetched[f] = in.fetched(hook, from_place(tile, items[f]), from_position(tile, items[f]));
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (transform_of(items[f]) < tile.width) {
          const Value value = PartsLoad<Real>::joined(hook, from_position(tile, items[f]), fetched[f]);
          ScratchElements<Real>(data, items[f].place, 0).set(0, value);
        }
      }
    }
  }

  template <int Flight>
  [[gnu::always_inline]] void team_store(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                         Value* data) const {
    const StoreHook<Real> hook = pass->store;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      Value values[Flight];
      Value turns[Flight];
      Value factors[Flight];
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (elements + all + i)) : no_item();
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (transform_of(items[f]) < tile.width) {
          values[f] = ScratchElements<Real>(data, items[f].place, 0).get(0);
          turns[f] = turn_between(tile, items[f]);
          factors[f] = factor_of(hook, to_position(tile, items[f]));
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (transform_of(items[f]) < tile.width) {
          out.write(hook, to_place(tile, items[f]), to_position(tile, items[f]), values[f] * turns[f], factors[f]);
        }
      }
    }
  }

 private:
  /// Of a transform that no tile has.
  [[gnu::always_inline]] static GeneralItem no_item() { return {0, 0, ~std::uint32_t{0}}; }

  /// Of a tile.
  [[gnu::always_inline]] static unsigned transform_of(const GeneralItem& item) { return item.offset >> 16; }
  [[gnu::always_inline]] static unsigned element_of(const GeneralItem& item) { return item.offset & 0xffff; }

  [[gnu::always_inline]] index_t from_place(const Tile& tile, const GeneralItem& item) const {
    return tile.from + transform_of(item) * tile.step.from + element_of(item) * pass->from_step;
  }
  [[gnu::always_inline]] index_t from_position(const Tile& tile, const GeneralItem& item) const {
    return tile.from_position + transform_of(item) * tile.step.from_position + element_of(item) * pass->from_position;
  }
  [[gnu::always_inline]] index_t to_place(const Tile& tile, const GeneralItem& item) const {
    return tile.to + transform_of(item) * tile.step.to + element_of(item) * pass->to_step;
  }
  [[gnu::always_inline]] index_t to_position(const Tile& tile, const GeneralItem& item) const {
    return tile.to_position + transform_of(item) * tile.step.to_position + element_of(item) * pass->to_position;
  }

  /// The twiddle between passes: see PassWork.
  [[gnu::always_inline]] Value turn_between(const Tile& tile, const GeneralItem& item) const {
    if (pass->fine == nullptr) {
      return {1, 0};
    }
    const index_t t = (tile.turn + transform_of(item) * tile.step.turn) * element_of(item);
    const index_t mask = (index_t{1} << pass->fine_shift) - 1;
    return table_entry(pass->coarse + (t >> pass->fine_shift)) * table_entry(pass->fine + (t & mask));
  }
};

}  // namespace phpc::fft
