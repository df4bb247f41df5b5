#pragma once
#include <cstdint>

#include "fft/device/general/ends/ends_traits.hpp"
#include "fft/device/general/ends/hooked_tiles.hpp"
#include "fft/device/general/stages/convolution_tables.hpp"

namespace phpc::fft {

/// Ends for tiles of any pass whose transforms are convolutions, which a team does in its scratch: a transform, the product with
/// the filter's spectrum and an inverse transform, which is a forward one of numbers with real and imaginary part swapped.
template <class Real>
struct ConvolvedTiles : HookedTiles<Real> {
  using Value = Complex<Real>;
  using Tile = PassTile;
  static constexpr EndsTraits traits{.has_tiles = true, .has_hooks = true, .has_convolution = true};

  ConvolutionTables<Real> convolution;

  template <int Flight>
  [[gnu::always_inline]] void team_load(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                        Value* data) const {
    set_zeros(team, work, tile, data);
    if (this->pass->load.half != HalfSpectrum::none) {
      load_all<Flight, true>(team, work, tile, data);
    } else {
      load_all<Flight, false>(team, work, tile, data);
    }
  }

  /// Multiplies R results of a butterfly of the first transform, `items` apart in the spectrum, by the filter's spectrum.
  template <int R>
  [[gnu::always_inline]] void filter(Value (&v)[R], const GeneralItem& item, unsigned items, const Tile& /*tile*/, unsigned pitch,
                                     Value* data) const {
    const Value* const factors = convolution.spectrum + item.twiddle;
    const Value sum = v[0];
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = swapped(v[q] * table_entry(factors + static_cast<unsigned>(q) * items));
    }
    if (convolution.is_rader && item.twiddle == 0) {
      const ScratchElements<Real> first(data, (item.offset + 1) * pitch - 1, 0);
      const Value value = swapped(first.get(0));
      v[0] = v[0] + value;
      first.set(0, value + swapped(sum));
    }
  }

  template <int Flight>
  [[gnu::always_inline]] void team_store(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                         Value* data) const {
    const StoreHook<Real>& hook = this->pass->store;
    const bool has_names = this->pass->fine != nullptr || hook.count != this->no_end;
    if (hook.r2c_roots != nullptr) {
      this->template store_r2c<Flight>(team, work, tile, data, true, convolution.chirp);
      return;
    }
    const bool swaps_last = hook.swap_last;
    const Real scale = hook.scale;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    const unsigned end = tile.width * work.pitch;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      Value factors[Flight]{};
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (this->elements + all + i)) : GeneralItem{this->no_place, 0, 0};
        if (convolution.chirp != nullptr && items[f].place < end) {
          factors[f] = table_entry(convolution.chirp + (all + i));
        }
      }
      if (has_names) {
#pragma GCC unroll 8
        for (int f = 0; f < Flight; ++f) {
          if (items[f].place < end) {
            const GeneralElement name = table_entry(this->numbers + (all + begin + static_cast<unsigned>(f) * size));
            if (this->pass->fine != nullptr) {
              const Value twiddle = this->four_step_twiddle(tile, name.number);
              factors[f] = convolution.chirp != nullptr ? factors[f] * twiddle : twiddle;
            }
            if (tile.to_position + name.position >= hook.count) {
              items[f].place = this->no_place;
            }
          }
        }
      }
      const bool multiplies = convolution.chirp != nullptr || this->pass->fine != nullptr;
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end) {
          Value value = swapped(ScratchElements<Real>(data, items[f].place, 0).get(0));
          value = multiplies ? value * factors[f] : value;
          this->write(tile.to + items[f].offset, scaled(this->swapped_if(swaps_last, value), scale));
        }
      }
    }
  }

 private:
  /// Of the convolution's length, what is behind the elements.
  [[gnu::always_inline]] void set_zeros(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                        Value* data) const {
    const unsigned end = tile.width * work.pitch;
    const unsigned length = work.stages[0].items() * static_cast<unsigned>(work.stages[0].radix());
    const unsigned zeros = length > work.length ? (length - work.length) * work.width : 0;
    for (unsigned i = static_cast<unsigned>(team.rank()); i < zeros; i += static_cast<unsigned>(team.size())) {
      const unsigned place = table_entry(work.places + i);
      if (place < end) {
        ScratchElements<Real>(data, place, 0).set(0, Value{});
      }
    }
  }

  template <int Flight, bool IsHalf>
  [[gnu::always_inline]] void load_all(const exec::Team& team, const GeneralWork<Real>& work, const Tile& tile,
                                       Value* data) const {
    const LoadHook<Real>& hook = this->pass->load;
    const bool swaps = hook.swap;
    const auto size = static_cast<unsigned>(team.size());
    const unsigned all = unsigned{work.width} * work.length;
    const unsigned end = tile.width * work.pitch;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < all; begin += Flight * size) {
      GeneralItem items[Flight];
      Value values[Flight]{};
      Value factors[Flight]{};
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        const unsigned i = begin + static_cast<unsigned>(f) * size;
        items[f] = i < all ? table_entry(work.items + (this->elements + i)) : GeneralItem{this->no_place, 0, 0};
        if (convolution.chirp != nullptr && items[f].place < end) {
          factors[f] = table_entry(convolution.chirp + i);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end) {
          index_t position = 0;
          if constexpr (IsHalf) {
            const unsigned i = begin + static_cast<unsigned>(f) * size;
            position = tile.from_position + table_entry(this->numbers + i).position;
          }
          values[f] = this->template read<IsHalf>(hook, tile.from + items[f].offset, position);
        }
      }
#pragma GCC unroll 8
      for (int f = 0; f < Flight; ++f) {
        if (items[f].place < end) {
          const Value value = this->swapped_if(swaps, values[f]);
          ScratchElements<Real>(data, items[f].place, 0).set(0, convolution.chirp != nullptr ? value * factors[f] : value);
        }
      }
    }
  }
};

}  // namespace phpc::fft
