#pragma once
#include <cstddef>
#include <cstdint>

#include "fft/device/fixed/streaming.hpp"
#include "fft/device/general/butterflies.hpp"
#include "fft/device/general/memory.hpp"
#include "fft/device/general/stage.hpp"
#include "phpc/exec/target_region.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Transforms of rows, of any length that the radices up to `Largest` make: decimation in frequency, in place in scratch, one
/// barrier between two stages. The first stage reads memory, the last one writes it. All that depends on the length, divisions of
/// indices above all, was done by the host (GeneralWork), and lies in tables or, by stages, among the kernel's arguments, which
/// take no registers.
template <class Real, int Largest>
struct GeneralRowsKernel {
  static constexpr int team_size = exec::sized_by_launch;
  using Scratch = exec::DynamicScratch;
  using Value = Complex<Real>;

  const Value* in;
  Value* out;
  index_t from;  ///< between the first elements of neighbours
  index_t to;
  /// Imaginary parts are multiplied by the first as they are read, both parts by the others as they are written: an inverse
  /// transform is the forward one between two conjugations.
  Real load_imaginary;
  Real store_real;
  Real store_imaginary;
  unsigned count;  ///< transforms
  GeneralWork<Real> work;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    auto* const data = reinterpret_cast<Value*>(scratch.data);
    PHPC_EXPECT(scratch.reaches(data + work.pitch * work.width));
    if (work.is_in_order) {
      from == work.length ? team_load<true>(team, data) : team_load<false>(team, data);
      team.barrier();
    }
    for (unsigned index = 0; index < work.stage_count; ++index) {
      if (index > 0) {
        team.barrier();
      }
      team_stage(GeneralRadices{}, team, index, stage_at(index), data);
    }
    if (work.is_in_order) {
      team.barrier();
      to == work.length ? team_store<true>(team, data) : team_store<false>(team, data);
    }
  }

 private:
  /// Not an index into the array, which would then be copied to memory of every thread.
  [[gnu::always_inline]] GeneralStage stage_at(unsigned index) const {
    static_assert(most_general_stages == 6);
    switch (index) {
      case 0:
        return work.stages[0];
      case 1:
        return work.stages[1];
      case 2:
        return work.stages[2];
      case 3:
        return work.stages[3];
      case 4:
        return work.stages[4];
      default:
        return work.stages[5];
    }
  }

  // What follows is computed anew wherever it is used: few of a thread's registers are then held across a stage.

  /// The number of the team's first transform.
  [[gnu::always_inline]] unsigned first_of(const exec::Team& team) const {
    return known_now(static_cast<unsigned>(team.league_rank())) * work.width;
  }
  /// How many the team has.
  [[gnu::always_inline]] unsigned live_of(const exec::Team& team) const {
    const unsigned left = count - first_of(team);
    return left < work.width ? left : work.width;
  }

  // The stage of the radix that a number names. No closures here: see PassBody.
  template <int... R>
  [[gnu::always_inline]] void team_stage(std::integer_sequence<int, R...> /*list*/, const exec::Team& team, unsigned index,
                                         const GeneralStage& stage, Value* data) const {
    const int radix = stage.radix();
    static_cast<void>(
        ((R <= Largest && radix == R ? (team_butterflies<(R <= Largest ? R : 2)>(team, index, stage, data), true) : false) ||
         ...));
  }

  /// The butterflies of a stage: the first one reads memory, the last one writes it, but where that is done in order.
  template <int R>
  [[gnu::always_inline]] void team_butterflies(const exec::Team& team, unsigned index, const GeneralStage& packed,
                                               Value* data) const {
    const unsigned items = live_of(team) * packed.items();
    for (unsigned i = static_cast<unsigned>(team.rank()); i < items; i += static_cast<unsigned>(team.size())) {
      const GeneralStage stage = packed.known_now();
      const GeneralItem item = table_entry(work.items + (stage.table() + i));
      const ScratchElements<Real> elements(data, item.place, stage.step());
      const Turn turn = turn_of<R>(stage, item);
      Value v[R];
      if (index == 0 && !work.is_in_order) {
        thread_read(v, in + first_of(team) * from + item.offset, stage.items());
      } else {
#pragma GCC unroll 32
        for (int q = 0; q < R; ++q) {
          v[q] = elements.get(static_cast<unsigned>(q));
        }
      }
      general_butterfly<R>(v);
      if (stage.stride() > 0) {
        thread_turn(v, turn, work.twiddles + (stage.twiddles() + item.twiddle + 2 * stage.stride()));
      }
      if (index + 1 == work.stage_count && !work.is_in_order) {
        thread_write(v, out + first_of(team) * to + item.offset, stage.items());
      } else {
#pragma GCC unroll 32
        for (int q = 0; q < R; ++q) {
          elements.set(static_cast<unsigned>(q), v[q]);
        }
      }
    }
  }

  template <int R>
  [[gnu::always_inline]] void thread_read(Value (&v)[R], const Value* source, std::size_t step) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      v[q] = loaded(source + static_cast<std::size_t>(q) * step);
    }
  }

  template <int R>
  [[gnu::always_inline]] void thread_write(Value (&v)[R], Value* target, std::size_t step) const {
#pragma GCC unroll 32
    for (int q = 0; q < R; ++q) {
      store(target + static_cast<std::size_t>(q) * step, v[q]);
    }
  }

  [[gnu::always_inline]] Value loaded(const Value* source) const {
    const Value value = streamed(source);
    return {value.re, value.im * load_imaginary};
  }
  [[gnu::always_inline]] void store(Value* target, Value value) const {
    stream(target, Value{value.re * store_real, value.im * store_imaginary});
  }

  /// The powers 1 and 4 of a butterfly's twiddle, which are read before its elements: their way is as long.
  struct Turn {
    Value first;
    Value fourth;
  };

  template <int R>
  [[gnu::always_inline]] Turn turn_of(const GeneralStage& stage, const GeneralItem& item) const {
    Turn turn{};
    if (stage.stride() > 0) {
      const Value* const powers = work.twiddles + (stage.twiddles() + item.twiddle);
      turn.first = table_entry(powers);
      if constexpr (R > 4) {
        turn.fourth = table_entry(powers + stage.stride());
      }
    }
    return turn;
  }

  /// v[r] *= w^r. Powers 1, 4 and 16 are read; the others are products, made four at a time so that few are held.
  template <int R>
  [[gnu::always_inline]] static void thread_turn(Value (&v)[R], const Turn& turn, const Value* sixteenth) {
    Value low[4];
    low[1] = turn.first;
    low[2] = low[1] * low[1];
    low[3] = low[1] * low[2];
#pragma GCC unroll 4
    for (int r = 1; r < (R < 4 ? R : 4); ++r) {
      v[r] = v[r] * low[r];
    }
    if constexpr (R > 4) {
      Value high = turn.fourth;
#pragma GCC unroll 8
      for (int first = 4; first < R; first += 4) {
        if (first == 16) {
          high = table_entry(sixteenth);
        } else if (first > 4) {
          high = high * turn.fourth;
        }
        v[first] = v[first] * high;
#pragma GCC unroll 4
        for (int r = first + 1; r < (first + 4 < R ? first + 4 : R); ++r) {
          v[r] = v[r] * (high * low[r - first]);
        }
      }
    }
  }

  /// Elements of a thread that are on their way at a time, where memory is gone through in order: a half of what it has.
  static constexpr int flight = Largest > 10 ? 7 : Largest > 8 ? 5 : 4;

  // Places in scratch are read before the first access to it: what follows one cannot be read ahead of it.

  template <bool AreDense>
  [[gnu::always_inline]] void team_load(const exec::Team& team, Value* data) const {
    const auto size = static_cast<unsigned>(team.size());
    const unsigned elements = live_of(team) * work.length;
    const Value* const source = in + first_of(team) * from;
    for (unsigned begin = static_cast<unsigned>(team.rank()); begin < elements; begin += flight * size) {
      Value v[flight];
      unsigned places[flight];
#pragma GCC unroll 8
      for (int k = 0; k < flight; ++k) {
        const unsigned i = begin + static_cast<unsigned>(k) * size;
        if (i < elements) {
          v[k] = loaded(source + memory_place<AreDense>(i, from));
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
    const unsigned elements = live_of(team) * work.length;
    Value* const target = out + first_of(team) * to;
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
          store(target + memory_place<AreDense>(i, to), v[k]);
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
