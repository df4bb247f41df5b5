#pragma once
#include <cstdint>
#include <limits>

#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/device/pass/pass.hpp"
#include "fft/device/pass/pass_ends.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// An array as a pass with hooks sees it: see Parts.
template <class Part>
struct HookedArray {
  Part* first;
  Part* second;
  std::uint32_t pitch;
  std::uint32_t is_whole;  ///< of interleaved complex numbers at whole places
};

/// Ends for tiles of any pass: with hooks, and with numbers in any form. Elements go between memory and scratch one by one, in
/// the order of memory, before the first stage and after the last one, so that the hooks' code stands there once and not in every
/// butterfly.
template <class Real>
struct HookedTiles {
  using Value = Complex<Real>;
  using Tile = PassTile;
  static constexpr EndsTraits traits{.has_tiles = true, .has_hooks = true};

  HookedArray<const Real> in;
  HookedArray<Real> out;
  const Pass<Real>* pass;
  const GeneralElement* numbers;  ///< of the elements that are loaded, then of those stored
  PassWindow window;
  unsigned elements;  ///< where these begin among the items

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
    const LoadHook<Real>& hook = pass->load;
    if (hook.half != HalfSpectrum::none) {
      load_all<Flight, true, true>(team, work, tile, data);
    } else if (hook.factors != nullptr || hook.count != no_end) {
      load_all<Flight, true, false>(team, work, tile, data);
    } else {
      load_all<Flight, false, false>(team, work, tile, data);
    }
  }

  template <int Flight>
  [[gnu::always_inline]] void team_store(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                         Value* data) const {
    const StoreHook<Real>& hook = pass->store;
    if (hook.r2c_roots != nullptr) {
      store_r2c<Flight>(team, work, tile, data, hook.swap_first, nullptr);
    } else if (pass->fine != nullptr || hook.factors != nullptr || hook.count != no_end) {
      store_all<Flight, true>(team, work, tile, data);
    } else {
      store_all<Flight, false>(team, work, tile, data);
    }
  }

 protected:
  static constexpr index_t no_end = std::numeric_limits<index_t>::max();
  /// A place that no tile has.
  static constexpr std::uint16_t no_place = 0xffff;

  template <int Flight, bool HasPositions, bool IsHalf>
  [[gnu::always_inline]] void load_all(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                       Value* data) const {
    const LoadHook<Real>& hook = pass->load;
    const Complex<Real>* const factors = hook.factors;
    const bool swaps = hook.swap;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    const unsigned end = tile.width * work.pitch;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      index_t positions[Flight]{};
      Value values[Flight]{};
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (elements + i)) : GeneralItem{no_place, 0, 0};
        if (HasPositions && items[f].place < end) {
          positions[f] = tile.from_position + table_entry(numbers + i).position;
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end && (!HasPositions || positions[f] < hook.count)) {
          values[f] = read<IsHalf>(hook, tile.from + items[f].offset, positions[f]);
        }
      }
      if (HasPositions && factors != nullptr) {
#pragma GCC unroll 8
        for (int f = 0; f < Flight; ++f) {
          if (items[f].place < end && positions[f] < hook.count) {
            values[f] = swapped_if(swaps, values[f]) * table_entry(factors + positions[f]);
          }
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end) {
          const bool swaps_now = swaps && (!HasPositions || factors == nullptr);
          ScratchElements<Real>(data, items[f].place, 0).set(0, swapped_if(swaps_now, values[f]));
        }
      }
    }
  }

  template <int Flight, bool HasNumbers>
  [[gnu::always_inline]] void store_all(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                        Value* data) const {
    const StoreHook<Real>& hook = pass->store;
    const Complex<Real>* const factors = hook.factors;
    const bool swaps_first = hook.swap_first;
    const bool swaps_last = hook.swap_last;
    const Real scale = hook.scale;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    const unsigned end = tile.width * work.pitch;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      index_t positions[Flight]{};
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (elements + all + i)) : GeneralItem{no_place, 0, 0};
      }
      Value own_factors[Flight]{};
      if (HasNumbers) {
        GeneralElement names[Flight]{};
#pragma GCC unroll 8
        for (int f = 0; f < Flight; ++f) {
          if (items[f].place < end) {
            names[f] = table_entry(numbers + (all + begin + static_cast<unsigned>(f) * size));
            positions[f] = tile.to_position + names[f].position;
          }
        }
        if (pass->fine != nullptr) {
#pragma GCC unroll 8
          for (int f = 0; f < Flight; ++f) {
            own_factors[f] = four_step_twiddle(tile, names[f].number);
          }
        } else if (factors != nullptr) {
#pragma GCC unroll 8
          for (int f = 0; f < Flight; ++f) {
            own_factors[f] = positions[f] < hook.count ? table_entry(factors + positions[f]) : Value{};
          }
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end && (!HasNumbers || positions[f] < hook.count)) {
          Value value = swapped_if(swaps_first, ScratchElements<Real>(data, items[f].place, 0).get(0));
          if (HasNumbers && (pass->fine != nullptr || factors != nullptr)) {
            value = value * own_factors[f];
          }
          write(tile.to + items[f].offset, scaled(swapped_if(swaps_last, value), scale));
        }
      }
    }
  }

  /// Elements 0 ... m of transforms of 2 m real numbers, of lines of m elements k and m - k that lie in scratch: with the parts
  /// of numbers traded, where so, and without their chirp, which at m - k is (-1)^m times that at k.
  template <int Flight>
  [[gnu::always_inline]] void store_r2c(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile, Value* data,
                                        bool trades, const Value* chirp) const {
    const StoreHook<Real>& hook = pass->store;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    const unsigned end = tile.width * work.pitch;
    const Real sign = chirp == nullptr || work.length % 2U == 0 ? 1 : -1;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      unsigned elements_of[Flight]{};
      Value factors[Flight]{};
      Value roots[Flight]{};
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (elements + all + i)) : GeneralItem{no_place, 0, 0};
        if (items[f].place < end) {
          elements_of[f] = table_entry(numbers + (all + i)).number & 0xffff;
          factors[f] = chirp != nullptr ? table_entry(chirp + (all + i)) : Value{1, 0};
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end) {
          roots[f] = table_entry(hook.r2c_roots + elements_of[f]);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end) {
          const bool is_first = elements_of[f] == 0;
          const Value opposite_factor = is_first ? factors[f] : scaled(factors[f], sign);
          const Value here = swapped_if(trades, ScratchElements<Real>(data, items[f].place, 0).get(0)) * factors[f];
          const Value there = swapped_if(trades, ScratchElements<Real>(data, items[f].twiddle, 0).get(0)) * opposite_factor;
          write_finished(tile.to + items[f].offset, r2c_postprocessed(here, there, roots[f]));
          if (is_first) {
            write_finished(tile.to + items[f].offset + work.length * pass->to_step,
                           r2c_postprocessed(here, here, table_entry(hook.r2c_roots + work.length)));
          }
        }
      }
    }
  }
  [[gnu::always_inline]] void write_finished(index_t place, Value value) const {
    write(place, scaled(swapped_if(pass->store.swap_last, value), pass->store.scale));
  }

  [[gnu::always_inline]] static Value swapped_if(bool swaps, Value value) {
    return {swaps ? value.im : value.re, swaps ? value.re : value.im};
  }

  [[gnu::always_inline]] Value at(index_t place) const {
    if (in.is_whole != 0) {
      return load_streaming(reinterpret_cast<const Value*>(in.first) + place);
    }
    const index_t number = place * in.pitch;
    return {in.first[number], in.second == nullptr ? Real{0} : in.second[number]};
  }
  [[gnu::always_inline]] void write(index_t place, Value value) const {
    if (out.is_whole != 0) {
      store_streaming(reinterpret_cast<Value*>(out.first) + place, value);
      return;
    }
    const index_t number = place * out.pitch;
    out.first[number] = value.re;
    if (out.second != nullptr) {
      out.second[number] = value.im;
    }
  }

  /// The element before swap and factors.
  template <bool IsHalf>
  [[gnu::always_inline]] Value read(const LoadHook<Real>& hook, index_t place, index_t position) const {
    if constexpr (!IsHalf) {
      return at(place);
    }
    const index_t opposite = place + (hook.half_length - 2 * position) * hook.stride;
    if (hook.half == HalfSpectrum::odd) {
      const bool is_conjugate = 2 * position > hook.half_length;
      const Value value = at(is_conjugate ? opposite : place);
      return {value.re, position == 0 ? Real{0} : is_conjugate ? -value.im : value.im};
    }
    Value here = at(place);
    Value there = at(opposite);
    if (position == 0) {  // both are real
      here.im = 0;
      there.im = 0;
    }
    return c2r_preprocessed(here, there, table_entry(hook.roots + position));
  }

  /// The twiddle between passes: see PassWork.
  [[gnu::always_inline]] Value four_step_twiddle(const Tile& tile, unsigned number) const {
    const index_t t = (tile.first_twiddle + (number >> 16) * tile.step.twiddle_step) * (number & 0xffff);
    const index_t mask = (index_t{1} << pass->fine_shift) - 1;
    return table_entry(pass->coarse + (t >> pass->fine_shift)) * table_entry(pass->fine + (t & mask));
  }
};

}  // namespace phpc::fft
