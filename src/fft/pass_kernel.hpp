#pragma once
#include <cstddef>
#include <type_traits>

#include "fft/butterflies.hpp"
#include "fft/pass.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Scratch of a tile that fits in statically sized team memory.
struct StaticTile {
  alignas(16) std::byte data[static_tile_bytes];
};

/// Decimation in frequency, in place in scratch. The first stage reads memory and writes scratch, the middle stages stay there,
/// the last writes memory in natural order; there is one barrier between two stages and nothing is held in registers across it.
/// A transform of one stage goes through scratch on both sides instead, so that short transforms are read and written in order.
template <class Real, int TeamSize, class TileScratch>
struct PassKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = TileScratch;
  using Value = Complex<Real>;

  Pass<Real> pass;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const Tile tile = tile_of(team.league_rank());
    Value* const data = reinterpret_cast<Value*>(scratch.data);
    if (pass.stage_count < 2) {
      team_load(team, tile, data);
      team.barrier();
      if (pass.stage_count == 1) {
        dispatch(pass.radices[0], RadixList{}, [&](auto radix) __attribute__((always_inline)) {
          team_middle_stage<decltype(radix)::value>(team, tile, data, pass.length, pass.twiddles);
        });
        team.barrier();
      }
      team_store(team, tile, data);
      return;
    }
    dispatch(pass.radices[0], RadixList{},
             [&](auto radix) __attribute__((always_inline)) { team_first_stage<decltype(radix)::value>(team, tile, data); });
    team.barrier();
    int block = pass.length / pass.radices[0];
    const Value* twiddles = pass.twiddles + (pass.length - block);
    for (int stage = 1; stage < pass.stage_count - 1; ++stage) {
      const int radix_now = pass.radices[stage];
      dispatch(radix_now, RadixList{}, [&](auto radix) __attribute__((always_inline)) {
        team_middle_stage<decltype(radix)::value>(team, tile, data, block, twiddles);
      });
      team.barrier();
      twiddles += block - block / radix_now;
      block /= radix_now;
    }
    dispatch(pass.radices[pass.stage_count - 1], RadixList{},
             [&](auto radix) __attribute__((always_inline)) { team_last_stage<decltype(radix)::value>(team, tile, data); });
  }

 private:
  /// The transforms of one team.
  struct Tile {
    index_t first;  ///< inner index of its first transform
    unsigned width;
    const Value* in;  ///< element 0 of the first transform
    Value* out;
    index_t in_position;  ///< place of that element in the user's transform
    index_t out_position;
  };

  [[gnu::always_inline]] Tile tile_of(index_t group) const {
    const index_t tiles = ceil_div(pass.inner_count, pass.width);
    const index_t first = group % tiles * pass.width;
    const index_t middle = group / tiles % pass.middle_count;
    const index_t outer = group / tiles / pass.middle_count;
    const index_t left = pass.inner_count - first;
    const PassLayout& from = pass.from;
    const PassLayout& to = pass.to;
    return {first,
            static_cast<unsigned>(left < pass.width ? left : pass.width),
            pass.in + (outer * from.outer + middle * from.middle + first * from.inner),
            pass.out + (outer * to.outer + middle * to.middle + first * to.inner),
            middle * from.middle + first * from.inner_within,
            middle * to.middle + first * to.inner_within};
  }

  /// Calls body(integral_constant<int, R>) for the R of the list that equals `radix`.
  template <int... R, class Body>
  [[gnu::always_inline]] static void dispatch(int radix, std::integer_sequence<int, R...> /*list*/, const Body& body) {
    static_cast<void>(((radix == R ? (body(std::integral_constant<int, R>{}), true) : false) || ...));
  }

  [[gnu::always_inline]] Value load(const Tile& tile, unsigned transform, unsigned element) const {
    const PassLayout& from = pass.from;
    const index_t along = static_cast<index_t>(element) * from.element;
    const index_t position = tile.in_position + transform * from.inner_within + along;
    if (position >= pass.load.count) {
      return {0, 0};
    }
    Value value = tile.in[transform * from.inner + along];
    if (pass.load.swap) {
      value = {value.im, value.re};
    }
    if (pass.load.factors != nullptr) {
      value = value * pass.load.factors[position];
    }
    return value;
  }

  [[gnu::always_inline]] void store(const Tile& tile, unsigned transform, unsigned element, Value value) const {
    const PassLayout& to = pass.to;
    if (pass.fine != nullptr) {
      const index_t t = (tile.first + transform) * element;
      const index_t mask = (index_t{1} << pass.fine_shift) - 1;
      value = value * (pass.coarse[t >> pass.fine_shift] * pass.fine[t & mask]);
    }
    const index_t along = static_cast<index_t>(element) * to.element;
    const index_t position = tile.out_position + transform * to.inner_within + along;
    if (position >= pass.store.count) {
      return;
    }
    if (pass.store.swap_first) {
      value = {value.im, value.re};
    }
    if (pass.store.factors != nullptr) {
      value = value * pass.store.factors[position];
    }
    if (pass.store.swap_last) {
      value = {value.im, value.re};
    }
    tile.out[transform * to.inner + along] = scaled(value, pass.store.scale);
  }

  /// Item `item` of `width` rows of `count`, such that items that follow each other are neighbours in memory.
  struct Item {
    unsigned transform;
    unsigned index;
  };
  [[gnu::always_inline]] static Item item_of(unsigned item, unsigned count, unsigned width, const PassLayout& layout) {
    if (layout.element <= layout.inner) {
      return {item / count, item % count};
    }
    return {item % width, item / width};
  }

  [[gnu::always_inline]] void team_load(const exec::Team& team, const Tile& tile, Value* data) const {
    const unsigned length = pass.length;
    for (unsigned i = team.rank(); i < tile.width * length; i += team.size()) {
      const Item item = item_of(i, length, tile.width, pass.from);
      data[tile_place(item.transform * length + item.index)] = load(tile, item.transform, item.index);
    }
  }

  [[gnu::always_inline]] void team_store(const exec::Team& team, const Tile& tile, const Value* data) const {
    const unsigned length = pass.length;
    for (unsigned i = team.rank(); i < tile.width * length; i += team.size()) {
      const Item item = item_of(i, length, tile.width, pass.to);
      store(tile, item.transform, item.index, data[tile_place(item.transform * length + item.index)]);
    }
  }

  template <int R>
  [[gnu::always_inline]] static void turn(Value (&v)[R], const Value* twiddles, unsigned stride, unsigned j) {
#pragma GCC unroll 16
    for (int r = 1; r < R; ++r) {
      v[r] = v[r] * twiddles[(r - 1) * stride + j];
    }
  }

  template <int R>
  [[gnu::always_inline]] void team_first_stage(const exec::Team& team, const Tile& tile, Value* data) const {
    const unsigned length = pass.length;
    const unsigned stride = length / R;
    for (unsigned i = team.rank(); i < tile.width * stride; i += team.size()) {
      const Item item = item_of(i, stride, tile.width, pass.from);
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = load(tile, item.transform, item.index + q * stride);
      }
      butterfly<R>(v);
      turn<R>(v, pass.twiddles, stride, item.index);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        data[tile_place(item.transform * length + item.index + r * stride)] = v[r];
      }
    }
  }

  /// Every sub-transform of `block` elements of the tile becomes R of block / R elements.
  template <int R>
  [[gnu::always_inline]] void team_middle_stage(const exec::Team& team, const Tile& tile, Value* data, unsigned block,
                                                const Value* twiddles) const {
    const unsigned stride = block / R;
    const unsigned count = tile.width * (static_cast<unsigned>(pass.length) / R);
    for (unsigned i = team.rank(); i < count; i += team.size()) {
      const unsigned j = i % stride;
      const unsigned base = i / stride * block + j;
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = data[tile_place(base + q * stride)];
      }
      butterfly<R>(v);
      if (stride > 1) {
        turn<R>(v, twiddles, stride, j);
      }
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        data[tile_place(base + r * stride)] = v[r];
      }
    }
  }

  template <int R>
  [[gnu::always_inline]] void team_last_stage(const exec::Team& team, const Tile& tile, const Value* data) const {
    const unsigned length = pass.length;
    const unsigned stride = length / R;
    for (unsigned i = team.rank(); i < tile.width * stride; i += team.size()) {
      const Item item = item_of(i, stride, tile.width, pass.to);
      const unsigned base = item.transform * length + static_cast<unsigned>(pass.last_blocks[item.index]) * R;
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = data[tile_place(base + q)];
      }
      butterfly<R>(v);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        store(tile, item.transform, item.index + r * stride, v[r]);
      }
    }
  }
};

}  // namespace phpc::fft
