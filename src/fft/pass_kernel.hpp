#pragma once
#include <cstddef>
#include <type_traits>

#include "fft/butterflies.hpp"
#include "fft/pass.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// What a team does in a pass, with the pass in registers.
template <class Real>
class PassBody {
 public:
  using Value = Complex<Real>;

  [[gnu::always_inline]] PassBody(const Pass<Real>& described, const Value* from, Value* to)
      : pass_(described), in_(from), out_(to) {}

  [[gnu::always_inline]] void run(const exec::Team& team, Value* data) const {
    const Tile tile = tile_of(team.league_rank());
    if (pass_.stage_count < 2) {
      team_load(team, tile, data);
      team.barrier();
      if (pass_.stage_count == 1) {
        team_middle(pass_.radices[0], RadixList{}, team, tile, data, pass_.length, pass_.twiddles);
        team.barrier();
      }
      team_store(team, tile, data);
      return;
    }
    team_first(pass_.radices[0], RadixList{}, team, tile, data);
    team.barrier();
    int block = pass_.length / pass_.radices[0];
    const Value* twiddles = pass_.twiddles + (pass_.length - block);
    for (int stage = 1; stage < pass_.stage_count - 1; ++stage) {
      const int radix_now = pass_.radices[stage];
      team_middle(radix_now, RadixList{}, team, tile, data, block, twiddles);
      team.barrier();
      twiddles += block - block / radix_now;
      block /= radix_now;
    }
    team_last(pass_.radices[pass_.stage_count - 1], RadixList{}, team, tile, data);
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
    const index_t tiles = ceil_div(pass_.inner_count, pass_.width);
    const index_t first = group % tiles * pass_.width;
    const index_t middle = group / tiles % pass_.middle_count;
    const index_t outer = group / tiles / pass_.middle_count;
    const index_t left = pass_.inner_count - first;
    const PassLayout& from = pass_.from;
    const PassLayout& to = pass_.to;
    return {first,
            static_cast<unsigned>(left < pass_.width ? left : pass_.width),
            in_ + (outer * from.outer + middle * from.middle + first * from.inner),
            out_ + (outer * to.outer + middle * to.middle + first * to.inner),
            middle * from.middle + first * from.inner_within,
            middle * to.middle + first * to.inner_within};
  }

  // The stage of the radix that a number names, of those in the list. No closures here: clang 19's OpenMPOpt, which sees them
  // before they are taken apart, folded an index of the last stage of radix 3 to 0.
  template <int... R>
  [[gnu::always_inline]] void team_first(int radix, std::integer_sequence<int, R...> /*list*/, const exec::Team& team,
                                         const Tile& tile, Value* data) const {
    static_cast<void>(((radix == R ? (team_first_stage<R>(team, tile, data), true) : false) || ...));
  }
  template <int... R>
  [[gnu::always_inline]] void team_middle(int radix, std::integer_sequence<int, R...> /*list*/, const exec::Team& team,
                                          const Tile& tile, Value* data, unsigned block, const Value* twiddles) const {
    static_cast<void>(((radix == R ? (team_middle_stage<R>(team, tile, data, block, twiddles), true) : false) || ...));
  }
  template <int... R>
  [[gnu::always_inline]] void team_last(int radix, std::integer_sequence<int, R...> /*list*/, const exec::Team& team,
                                        const Tile& tile, const Value* data) const {
    static_cast<void>(((radix == R ? (team_last_stage<R>(team, tile, data), true) : false) || ...));
  }

  [[gnu::always_inline]] Value load(const Tile& tile, unsigned transform, unsigned element) const {
    const PassLayout& from = pass_.from;
    const index_t along = static_cast<index_t>(element) * from.element;
    const index_t position = tile.in_position + transform * from.inner_within + along;
    if (position >= pass_.load.count) {
      return {0, 0};
    }
    Value value = tile.in[transform * from.inner + along];
    if (pass_.load.swap) {
      value = {value.im, value.re};
    }
    if (pass_.load.factors != nullptr) {
      value = value * pass_.load.factors[position];
    }
    return value;
  }

  [[gnu::always_inline]] void store(const Tile& tile, unsigned transform, unsigned element, Value value) const {
    const PassLayout& to = pass_.to;
    if (pass_.fine != nullptr) {
      const index_t t = (tile.first + transform) * element;
      const index_t mask = (index_t{1} << pass_.fine_shift) - 1;
      value = value * (pass_.coarse[t >> pass_.fine_shift] * pass_.fine[t & mask]);
    }
    const index_t along = static_cast<index_t>(element) * to.element;
    const index_t position = tile.out_position + transform * to.inner_within + along;
    if (position >= pass_.store.count) {
      return;
    }
    if (pass_.store.swap_first) {
      value = {value.im, value.re};
    }
    if (pass_.store.factors != nullptr) {
      value = value * pass_.store.factors[position];
    }
    if (pass_.store.swap_last) {
      value = {value.im, value.re};
    }
    tile.out[transform * to.inner + along] = scaled(value, pass_.store.scale);
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
    const unsigned length = pass_.length;
    for (unsigned i = team.rank(); i < tile.width * length; i += team.size()) {
      const Item item = item_of(i, length, tile.width, pass_.from);
      data[tile_place(item.transform * length + item.index)] = load(tile, item.transform, item.index);
    }
  }

  [[gnu::always_inline]] void team_store(const exec::Team& team, const Tile& tile, const Value* data) const {
    const unsigned length = pass_.length;
    for (unsigned i = team.rank(); i < tile.width * length; i += team.size()) {
      const Item item = item_of(i, length, tile.width, pass_.to);
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
    const unsigned length = pass_.length;
    const unsigned stride = length / R;
    for (unsigned i = team.rank(); i < tile.width * stride; i += team.size()) {
      const Item item = item_of(i, stride, tile.width, pass_.from);
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = load(tile, item.transform, item.index + q * stride);
      }
      butterfly<R>(v);
      turn<R>(v, pass_.twiddles, stride, item.index);
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
    const unsigned count = tile.width * (static_cast<unsigned>(pass_.length) / R);
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
    const unsigned length = pass_.length;
    const unsigned stride = length / R;
    for (unsigned i = team.rank(); i < tile.width * stride; i += team.size()) {
      const Item item = item_of(i, stride, tile.width, pass_.to);
      const unsigned base = item.transform * length + static_cast<unsigned>(pass_.last_places[item.index]);
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

  Pass<Real> pass_;
  const Value* in_;
  Value* out_;
};

/// Decimation in frequency, in place in scratch. The first stage reads memory and writes scratch, the middle stages stay there,
/// the last writes memory in natural order; there is one barrier between two stages and nothing is held in registers across it.
/// A transform of one stage goes through scratch on both sides instead, so that short transforms are read and written in order.
template <class Real, int TeamSize>
struct PassKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;

  const Pass<Real>* pass;
  const Complex<Real>* in;
  Complex<Real>* out;
  BatchIndex batch_index;
  index_t batch;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    Pass<Real> described = *pass;
    (batch_index == BatchIndex::inner ? described.inner_count : described.outer_count) = batch;
    PassBody<Real>(described, in, out).run(team, reinterpret_cast<Complex<Real>*>(scratch.data));
  }
};

}  // namespace phpc::fft
