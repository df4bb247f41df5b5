#pragma once
#include <cstddef>
#include <type_traits>

#include "fft/device/pass/pass_ends.hpp"
#include "fft/math/butterflies.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// What a team does in a pass, with the pass in registers. Load and Store are functors of pass_ends.hpp.
template <class Real, class Load, class Store>
class PassBody {
 public:
  using Value = Complex<Real>;

  [[gnu::always_inline]] PassBody(const Pass<Real>* pass, const PassWindow& window, Load load, Store store)
      : described_(pass), pass_(*pass), window_(window), load_(load), store_(store) {}

  [[gnu::always_inline]] void run(const exec::Team& team, Value* data) const {
    const Tile tile = tile_of(*described_, window_, pass_.width, team.league_rank());
    const bool postprocesses = pass_.store.r2c_roots != nullptr;
    const int stages = pass_.stage_count;
    if (stages < 2) {
      team_load(team, tile, data);
      team.barrier();
      if (stages == 1) {
        team_middle(pass_.radices[0], RadixList{}, team, tile, data, pass_.length, pass_.twiddles);
        team.barrier();
      }
      postprocesses ? team_store_r2c(team, tile, data) : team_store(team, tile, data);
      return;
    }
    team_first(pass_.radices[0], RadixList{}, team, tile, data);
    team.barrier();
    int block = pass_.length / pass_.radices[0];
    const Value* twiddles = pass_.twiddles + (pass_.length - block);
    for (int stage = 1; stage < stages - (postprocesses ? 0 : 1); ++stage) {
      const int radix_now = pass_.radices[stage];
      team_middle(radix_now, RadixList{}, team, tile, data, block, twiddles);
      team.barrier();
      twiddles += block - block / radix_now;
      block /= radix_now;
    }
    if (postprocesses) {
      team_store_r2c(team, tile, data);
    } else {
      team_last(pass_.radices[stages - 1], RadixList{}, team, tile, data);
    }
  }

 private:
  using Tile = PassTile;

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
    const auto e = static_cast<index_t>(element);
    return load_(pass_, tile.from + transform * tile.step.from + e * pass_.from_step,
                 tile.from_position + transform * tile.step.from_position + e * pass_.from_position);
  }

  [[gnu::always_inline]] void store(const Tile& tile, unsigned transform, unsigned element, Value value) const {
    const auto e = static_cast<index_t>(element);
    if (pass_.fine != nullptr) {
      const index_t t = (tile.first_twiddle + transform * tile.step.twiddle_step) * e;
      const index_t mask = (index_t{1} << pass_.fine_shift) - 1;
      value = value * (pass_.coarse[t >> pass_.fine_shift] * pass_.fine[t & mask]);
    }
    store_(pass_, tile.to + transform * tile.step.to + e * pass_.to_step,
           tile.to_position + transform * tile.step.to_position + e * pass_.to_position, value);
  }

  [[gnu::always_inline]] TileItem loaded_item(unsigned item, unsigned count, const Tile& tile) const {
    return item_of(item, count, tile.width, pass_.from_step, tile.step.from);
  }
  [[gnu::always_inline]] TileItem stored_item(unsigned item, unsigned count, const Tile& tile) const {
    return item_of(item, count, tile.width, pass_.to_step, tile.step.to);
  }

  [[gnu::always_inline]] void team_load(const exec::Team& team, const Tile& tile, Value* data) const {
    const unsigned length = pass_.length;
    for (unsigned i = team.rank(); i < tile.width * length; i += team.size()) {
      const TileItem item = loaded_item(i, length, tile);
      data[tile_place(item.transform * length + item.index)] = load(tile, item.transform, item.index);
    }
  }

  [[gnu::always_inline]] void team_store(const exec::Team& team, const Tile& tile, const Value* data) const {
    const unsigned length = pass_.length;
    for (unsigned i = team.rank(); i < tile.width * length; i += team.size()) {
      const TileItem item = stored_item(i, length, tile);
      store(tile, item.transform, item.index, data[tile_place(item.transform * length + item.index)]);
    }
  }

  /// Where X[k] is in scratch after all stages were done in place.
  [[gnu::always_inline]] unsigned place_of(unsigned k) const {
    if (pass_.stage_count == 0) {
      return k;
    }
    const unsigned places = pass_.length / pass_.radices[pass_.stage_count - 1];
    return static_cast<unsigned>(pass_.digit_reversal[k % places]) + k / places;
  }

  [[gnu::always_inline]] void team_store_r2c(const exec::Team& team, const Tile& tile, const Value* data) const {
    const unsigned length = pass_.length;
    for (unsigned i = team.rank(); i < tile.width * (length + 1); i += team.size()) {
      const TileItem item = stored_item(i, length + 1, tile);
      const unsigned k = item.index;
      const unsigned base = item.transform * length;
      const Value here = data[tile_place(base + place_of(k < length ? k : 0))];
      const Value opposite = data[tile_place(base + place_of(k > 0 ? length - k : 0))];
      store(tile, item.transform, k, r2c_postprocessed(here, opposite, pass_.store.r2c_roots[k]));
    }
  }

  template <int R>
  [[gnu::always_inline]] static void apply_twiddles(Value (&v)[R], const Value* twiddles, unsigned stride, unsigned j) {
#pragma GCC unroll 16
    for (int r = 1; r < R; ++r) {
      v[r] = v[r] * twiddles[(r - 1) * stride + j];
    }
  }

  template <int R>
  PHPC_TEAM_STAGE void team_first_stage(const exec::Team& team, const Tile& tile, Value* data) const {
    const unsigned length = pass_.length;
    const unsigned stride = length / R;
    for (unsigned i = team.rank(); i < tile.width * stride; i += team.size()) {
      const TileItem item = loaded_item(i, stride, tile);
      Value v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = load(tile, item.transform, item.index + q * stride);
      }
      butterfly<R>(v);
      apply_twiddles<R>(v, pass_.twiddles, stride, item.index);
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        data[tile_place(item.transform * length + item.index + r * stride)] = v[r];
      }
    }
  }

  /// Every sub-transform of `block` elements of the tile becomes R of block / R elements.
  template <int R>
  PHPC_TEAM_STAGE void team_middle_stage(const exec::Team& team, const Tile& tile, Value* data, unsigned block,
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
        apply_twiddles<R>(v, twiddles, stride, j);
      }
#pragma GCC unroll 16
      for (int r = 0; r < R; ++r) {
        data[tile_place(base + r * stride)] = v[r];
      }
    }
  }

  template <int R>
  PHPC_TEAM_STAGE void team_last_stage(const exec::Team& team, const Tile& tile, const Value* data) const {
    const unsigned length = pass_.length;
    const unsigned stride = length / R;
    for (unsigned i = team.rank(); i < tile.width * stride; i += team.size()) {
      const TileItem item = stored_item(i, stride, tile);
      const unsigned base = item.transform * length + static_cast<unsigned>(pass_.digit_reversal[item.index]);
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

  const Pass<Real>* described_;
  const PassWork<Real> pass_;
  const PassWindow window_;
  const Load load_;
  const Store store_;
};

/// Decimation in frequency, in place in scratch. The first stage reads memory and writes scratch, the middle stages stay there,
/// the last writes memory in natural order; there is one barrier between two stages and nothing is held in registers across it.
/// A transform of one stage goes through scratch on both sides instead, so that short transforms are read and written in order.
template <class Real, int TeamSize, class Load, class Store>
struct PassKernel {
  static constexpr int team_size = TeamSize;
  using Scratch = exec::DynamicScratch;

  const Pass<Real>* pass;
  PassWindow window;
  Load load;
  Store store;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    auto* const data = reinterpret_cast<Complex<Real>*>(scratch.data);
    PHPC_EXPECT(scratch.reaches(data + tile_place(pass->width * pass->length - 1) + 1));
    PassBody<Real, Load, Store>(pass, window, load, store).run(team, data);
  }
};

}  // namespace phpc::fft
