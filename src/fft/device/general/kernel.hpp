#pragma once
#include <cstddef>
#include <cstdint>

#include "fft/device/general/ends/conjugate_pair_tiles.hpp"
#include "fft/device/general/ends/convolved_tiles.hpp"
#include "fft/device/general/ends/ends.hpp"
#include "fft/device/general/ends/factor_tiles.hpp"
#include "fft/device/general/ends/hooked_tiles.hpp"
#include "fft/device/general/ends/real_columns.hpp"
#include "fft/device/general/ends/real_factor_tiles.hpp"
#include "fft/device/general/ends/real_rows.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/halved.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/device/general/stages/twiddles.hpp"
#include "fft/math/prime_factor_butterflies.hpp"
#include "phpc/exec/target_region.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// The general kernel: transforms of any length that radices up to `Largest` make, by decimation in frequency, in place in
/// scratch, with one barrier between two stages; of several axes too, whose stages differ in their tables alone. Ends (ends.hpp)
/// says how elements come from memory and go there: within the first and the last stage, or, where neighbouring threads would not
/// find neighbouring elements so, in the order of memory before the first stage and after the last one. All that depends on the
/// length, divisions of indices above all, was done by the host (GeneralWork), and lies in tables or, by stages, among the
/// kernel's arguments, which take no registers. A convolution is two transforms; the last stage of the first one multiplies by
/// the filter's spectrum and is the first stage of the second one.
template <class Real, int Largest, class Ends>
struct GeneralKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Value = Complex<Real>;
  using Tile = typename Ends::Tile;
  static_assert(sizeof(Tile) <= place_bytes);

  Ends ends;
  GeneralWork<Real> work;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    auto* const data = reinterpret_cast<Value*>(scratch.data);
    if constexpr (Ends::traits.has_tiles) {
      auto* const tile = reinterpret_cast<Tile*>(data + work.pitch * work.width);
      PHPC_EXPECT(scratch.reaches(tile + 1));
      if (team.rank() == 0) {
        if constexpr (Ends::traits.has_factors) {
          ends.set(*tile, team, work);
        } else {
          ends.set(*tile, team, work.width);
        }
      }
      team.barrier();
      if constexpr (Ends::traits.has_hooks) {
        ends.template team_load<(flight + 1) / 2>(team, work, *tile, data);
        team.barrier();
      }
      if constexpr (Ends::traits.has_halves) {
        if (ends.loads_in_order()) {
          ends.template team_load<(flight + 1) / 2>(team, work, *tile, data);
          team.barrier();
        }
      }
      team_stages(team, data, tile);
      if constexpr (Ends::traits.has_hooks) {
        team.barrier();
        ends.template team_store<(flight + 1) / 2>(team, work, *tile, data);
      }
      if constexpr (Ends::traits.has_halves) {
        if (ends.stores_in_order()) {
          team.barrier();
          ends.template team_store<(flight + 1) / 2>(team, work, *tile, data);
        }
      }
    } else if constexpr (Ends::traits.has_pairs) {
      PHPC_EXPECT(scratch.reaches(data + work.pitch * work.width));
      if (ends.loads_in_order()) {
        ends.template team_load<(flight + 1) / 2>(team, work, data);
        team.barrier();
      }
      team_stages(team, data, nullptr);
      if (ends.stores_in_order()) {
        team.barrier();
        ends.template team_store<(flight + 1) / 2>(team, work, data);
      }
    } else {
      PHPC_EXPECT(scratch.reaches(data + work.pitch * work.width));
      if (work.is_in_order) {
        ends.from == work.length ? team_load<true>(team, data) : team_load<false>(team, data);
        team.barrier();
      }
      team_stages(team, data, nullptr);
      if (work.is_in_order) {
        team.barrier();
        ends.to == work.length ? team_store<true>(team, data) : team_store<false>(team, data);
      }
    }
  }

 private:
  /// Whether the first stage finds its elements in scratch, and the last one leaves them there.
  [[gnu::always_inline]] bool loads_in_order() const {
    if constexpr (Ends::traits.has_tiles || Ends::traits.has_pairs) {
      return ends.loads_in_order();
    }
    return work.is_in_order;
  }
  [[gnu::always_inline]] bool stores_in_order() const {
    if constexpr (Ends::traits.has_tiles || Ends::traits.has_pairs) {
      return ends.stores_in_order();
    }
    return work.is_in_order;
  }

  /// Whether a stage is the last one of a convolution's first transform. The first stage of the second transform takes the
  /// results of one butterfly for its elements (reversed_digits), so that both are done in one, without scratch in between.
  [[gnu::always_inline]] bool is_filtered(unsigned index) const {
    return Ends::traits.has_convolution && index + 1 == work.stage_count;
  }

  /// Whether no stage follows.
  [[gnu::always_inline]] bool is_last(unsigned index) const {
    return index + 1 ==
           (Ends::traits.has_convolution && work.stage_count > 1 ? unsigned{most_general_stages} : 0U) + work.stage_count;
  }

  [[gnu::always_inline]] void team_stages(const exec::Team& team, Value* data, const Tile* tile) const {
    for (unsigned index = 0; index < work.stage_count; ++index) {
      if (index > 0) {
        team.barrier();
      }
      team_stage(GeneralRadices{}, team, index, stage_at(work.stages, index), data, tile);
    }
    if constexpr (Ends::traits.has_convolution) {  // whose last stage was the first one of the second transform too
      for (unsigned index = 1; index < work.stage_count; ++index) {
        team.barrier();
        team_stage(GeneralRadices{}, team, most_general_stages + index, stage_at(ends.convolution.back, index), data, tile);
      }
    }
  }

  /// Not an index into the array, which would then be copied to memory of every thread.
  [[gnu::always_inline]] static GeneralStage stage_at(const GeneralStage (&stages)[most_general_stages], unsigned index) {
    static_assert(most_general_stages == 6);
    switch (index) {
      case 0:
        return stages[0];
      case 1:
        return stages[1];
      case 2:
        return stages[2];
      case 3:
        return stages[3];
      case 4:
        return stages[4];
      default:
        return stages[5];
    }
  }

  static constexpr bool takes_radix(int radix) {
    if constexpr (Ends::traits.has_factors || Ends::traits.has_convolution) {
      return radix <= Largest && !is_large_prime(radix);  // of lengths with small factors
    }
    return has_radix<GeneralClasses<Real>>(radix, Largest);
  }

  // The stage of the radix that a number names. No closures here: see PassBody.
  template <int... R>
  [[gnu::always_inline]] void team_stage(std::integer_sequence<int, R...> /*list*/, const exec::Team& team, unsigned index,
                                         const GeneralStage& stage, Value* data, const Tile* tile) const {
    const int radix = stage.radix();
    static_cast<void>(
        ((takes_radix(R) && radix == R ? (team_radix<(takes_radix(R) ? R : 2)>(team, index, stage, data, tile), true) : false) ||
         ...));
  }
  template <int R>
  [[gnu::always_inline]] void team_radix(const exec::Team& team, unsigned index, const GeneralStage& stage, Value* data,
                                         const Tile* tile) const {
    if constexpr (Ends::traits.has_pairs && R % 2 == 1 && !is_large_prime(R)) {
      const OddReals reals = ends.odd_reals(index, work.stage_count);
      if (reals != OddReals::none) {
        reals == OddReals::from ? team_butterflies<R, OddReals::from>(team, index, stage, data, tile)
                                : team_butterflies<R, OddReals::to>(team, index, stage, data, tile);
        return;
      }
    }
    team_butterflies<R, OddReals::none>(team, index, stage, data, tile);
  }

  /// The butterflies of a stage: the first one reads memory, the last one writes it, but where that is done in order.
  template <int R, OddReals Reals>
  PHPC_TEAM_STAGE void team_butterflies(const exec::Team& team, unsigned index, const GeneralStage& packed, Value* data,
                                        const Tile* tile) const {
    const unsigned live = ends.live_of(team, work.width, tile);
    // Where transforms lie side by side, those that a tile lacks are left out below.
    const unsigned items = (Ends::traits.has_tiles ? work.width : live) * packed.items();
    for (unsigned i = static_cast<unsigned>(team.rank()); i < items; i += static_cast<unsigned>(team.size())) {
      GeneralStage stage = packed.known_now();
      const GeneralItem item = table_entry(work.items + (stage.table() + i));
      if (Ends::traits.has_tiles && item.place >= live * work.pitch) {
        continue;
      }
      const ScratchElements<Real> elements(data, item.place, stage.step());
      StageTwiddles<Real> stage_twiddles = stage_twiddles_of<R>(stage, item, work.twiddles);
      Value v[R];
      bool is_read = false;
      if constexpr (Ends::traits.has_factors) {
        is_read = index == 0 && !loads_in_order();
        if (is_read) {
          ends.read(v, item, stage.items(), tile);
        }
      } else if constexpr (!Ends::traits.has_hooks) {
        // A stage of conjugate pairs reads memory never: where it is the only one, elements come through scratch.
        is_read = Reals != OddReals::to && index == 0 && !loads_in_order();
        if (is_read) {
          read_memory<Reals>(v, team, item, tile);
        }
      }
      if constexpr (Reals != OddReals::none) {
        if (!is_read) {
          load_halved<Reals>(v, elements);
          is_read = true;
        }
      }
      if (!is_read) {
#pragma GCC unroll 32
        for (int q = 0; q < R; ++q) {
          v[q] = elements.get(static_cast<unsigned>(q));
        }
      }
      if constexpr (is_large_prime(R)) {
        if (stays_in_scratch(index)) {
          store_prime(v, stage, stage_twiddles, work.twiddles, stage.twiddles() + item.twiddle + 2 * stage.stride(), elements);
          continue;
        }
      }
      if constexpr (Ends::traits.has_convolution) {
        bool filters = is_filtered(index);
#pragma GCC unroll 1
        while (true) {  // once or twice; not unrolled, so that the butterfly is compiled once
          prime_factor_butterfly<R>(v);
          if (!filters) {
            break;
          }
          filters = false;
          if constexpr (Ends::traits.has_factors) {
            ends.filter(v, item, stage.items(), tile);
          } else {
            ends.filter(v, item, stage.items(), *tile, work.pitch, data);
          }
          stage = stage_at(ends.convolution.back, 0).known_now();  // of the same items
          stage_twiddles = stage_twiddles_of<R>(stage, item, work.twiddles);
        }
      } else {
        prime_factor_butterfly<R>(v);
      }
      if (stage.stride() > 0) {
        thread_apply_twiddles(v, stage_twiddles, work.twiddles + (stage.twiddles() + item.twiddle + 2 * stage.stride()));
      }
      bool is_written = false;
      if constexpr (Ends::traits.has_factors) {
        is_written = is_last(index) && !stores_in_order();
        if (is_written) {
          ends.write(v, item, stage.items(), work.length, tile);
        }
      } else if constexpr (!Ends::traits.has_hooks) {
        is_written = Reals != OddReals::from && index + 1 == work.stage_count && !stores_in_order();
        if (is_written) {
          if constexpr (Ends::traits.has_tiles) {
            Ends::apply_four_step_twiddles(v, item.twiddle, work.width, stage.items(), tile);
          }
          write_memory<Reals>(v, team, item, tile);
        }
      }
      if constexpr (Reals != OddReals::none) {
        if (!is_written) {
          store_halved<Reals>(v, elements);
          is_written = true;
        }
      }
      if (!is_written) {
#pragma GCC unroll 32
        for (int q = 0; q < R; ++q) {
          elements.set(static_cast<unsigned>(q), v[q]);
        }
      }
    }
  }

  /// Reads a butterfly of the first stage, writes one of the last.
  template <OddReals Reals, int R>
  [[gnu::always_inline]] void read_memory(Value (&v)[R], const exec::Team& team, const GeneralItem& item,
                                          const Tile* tile) const {
    if constexpr (Reals == OddReals::from) {
      const std::size_t begin = std::size_t{ends.first_of(team, work.width)} * ends.from;
      ends.read_reals(v, static_cast<const Real*>(ends.in) + begin + item.offset, known_now(work.read_step));
    } else {
      ends.read(v, ends.source_of(team, work.width, tile) + item.offset, known_now(work.read_step), tile);
    }
  }
  template <OddReals Reals, int R>
  [[gnu::always_inline]] void write_memory(const Value (&v)[R], const exec::Team& team, const GeneralItem& item,
                                           const Tile* tile) const {
    if constexpr (Reals == OddReals::to) {
      const std::size_t begin = std::size_t{ends.first_of(team, work.width)} * ends.to;
      ends.write_reals(v, static_cast<Real*>(ends.out) + begin + item.offset, known_now(work.write_step));
    } else {
      ends.write(v, ends.target_of(team, work.width, tile) + item.offset, known_now(work.write_step), tile);
    }
  }

  /// Whether a stage of a kernel that has large primes leaves its results in scratch.
  [[gnu::always_inline]] bool stays_in_scratch(unsigned index) const {
    if constexpr (Ends::traits.has_hooks) {
      return true;
    } else {
      return index + 1 != work.stage_count || stores_in_order();
    }
  }

  /// Elements that a thread loads before it stores the first of them, where memory is gone through in order: half of those of its
  /// butterfly of a class's usual radix.
  static constexpr int flight = Largest > 10 ? 7 : Largest > 8 ? 5 : 4;

  // Places in scratch are read before the first access to it: what follows one cannot be read ahead of it.

  template <bool AreDense>
  [[gnu::always_inline]] void team_load(const exec::Team& team, Value* data) const {
    const auto size = static_cast<unsigned>(team.size());
    const unsigned elements = ends.live_of(team, work.width, nullptr) * work.length;
    const Value* const source = ends.source_of(team, work.width, nullptr);
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < elements; begin += flight * size) {
      Value v[flight];
      unsigned places[flight];
#pragma GCC unroll 8
      for (int k = 0; k < flight; ++k) {
        const unsigned i = begin + static_cast<unsigned>(k) * size;
        if (i < elements) {
          v[k] = ends.loaded(source + memory_place<AreDense>(i, ends.from));
          places[k] = table_entry(work.places + i);
        }
      }
#pragma GCC unroll 8
      for (int k = 0; k < flight; ++k) {
        if (begin + static_cast<unsigned>(k) * size < elements) {
          ScratchElements<Real>(data, places[k], 0).set(0, v[k]);
        }
      }
    }
  }

  template <bool AreDense>
  [[gnu::always_inline]] void team_store(const exec::Team& team, Value* data) const {
    const auto size = static_cast<unsigned>(team.size());
    const unsigned elements = ends.live_of(team, work.width, nullptr) * work.length;
    Value* const target = ends.target_of(team, work.width, nullptr);
    const std::uint16_t* const places_out = work.places + work.width * work.length;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < elements; begin += flight * size) {
      Value v[flight];
      unsigned places[flight];
#pragma GCC unroll 8
      for (int k = 0; k < flight; ++k) {
        const unsigned i = begin + static_cast<unsigned>(k) * size;
        if (i < elements) {
          places[k] = table_entry(places_out + i);
        }
      }
#pragma GCC unroll 8
      for (int k = 0; k < flight; ++k) {
        if (begin + static_cast<unsigned>(k) * size < elements) {
          v[k] = ScratchElements<Real>(data, places[k], 0).get(0);
        }
      }
#pragma GCC unroll 8
      for (int k = 0; k < flight; ++k) {
        const unsigned i = begin + static_cast<unsigned>(k) * size;
        if (i < elements) {
          ends.store(target + memory_place<AreDense>(i, ends.to), v[k]);
        }
      }
    }
  }

  /// Of element i of a tile, in order.
  template <bool AreDense>
  [[gnu::always_inline]] std::size_t memory_place(unsigned i, index_t distance) const {
    if constexpr (AreDense) {
      return i;
    }
    return i / work.length * static_cast<std::size_t>(distance) + i % work.length;
  }
};

}  // namespace phpc::fft
