#pragma once
#include <algorithm>

#include "fft/device/fixed/relay_order.hpp"
#include "fft/device/fixed/stages.hpp"
#include "fft/device/fixed/streaming.hpp"

namespace phpc::fft {

/// A transform of First::length * Second::length elements in one launch: columns of the first length into a ring of work memory
/// that stays in the device's cache, then rows of the second length, written as columns (four-step; Bailey 1990). GPUs only
/// (launch_on_gpu) but for tests.
template <class Real, class First, class Second>
struct FixedRelayKernel {
  using Value = Complex<Real>;
  using FirstStages = FixedStages<Real, First, ScratchOrder::elements>;
  using SecondStages = FixedStages<Real, Second, ScratchOrder::transforms>;
  using Order = RelayOrder<static_cast<int>(ceil_div(Second::length, First::width)),
                           static_cast<int>(ceil_div(First::length, Second::width))>;
  static constexpr int rows = First::length;
  static constexpr int columns = Second::length;
  static constexpr index_t length = index_t{rows} * columns;
  static constexpr int team_size = FirstStages::team_size;
  static_assert(SecondStages::team_size == team_size);
  using RegistersAreCapped = void;  ///< of wide teams: see shapes.hpp

  struct Scratch {
    RelayItem item;
    alignas(16) Value data[std::max(FirstStages::places, SecondStages::places)];
  };

  const Value* in;
  Value* out;
  Value* work;                  ///< order.slots transforms
  const Value* first_twiddles;  ///< as FixedShape::twiddle_offset says
  const Value* second_twiddles;
  const Value* between;        ///< exp(-2 pi i u c / length) at u * columns + c, u < rows / last radix of First
  const Value* between_steps;  ///< powers 1, 4, 16 (stored_powers) of exp(-2 pi i c / (columns * that radix)), at c of each
  index_t from_step;           ///< between transforms
  index_t to_step;
  Order order;
  Real scale;
  bool swap;  ///< real and imaginary parts, before and after: the inverse transform

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    if (team.rank() == 0) {
      scratch.item = order.thread_take();
    }
    team.barrier();
    const RelayItem item = scratch.item;
    Value* const ring = work + item.slot * length;
    if (item.phase == 0) {
      team_first(team, in + item.transform * from_step, ring, item.tile * First::width, scratch.data);
    } else {
      team_second(team, ring, out + item.transform * to_step, item.tile * Second::width, scratch.data);
    }
    team.barrier();
    if (team.rank() == 0) {
      order.thread_finish(item);
    }
  }

 private:
  struct ColumnSource {
    const Value* from;
    bool swap;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int column, int row, int stride) const {
      const Value* const at = from + (row * columns + column);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = streamed(at + q * stride * columns);
      }
      if (swap) {
#pragma unroll
        for (int q = 0; q < R; ++q) {
          v[q] = {v[q].im, v[q].re};
        }
      }
    }
  };

  struct TurnedColumnSink {
    Value* to;
    const Value* between;
    const Value* steps;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int column, int row, int stride) const {
      const Value first = between[row * columns + column];
      Value* const at = to + (row * columns + column);
      Value turned[R];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        turned[r] = first;
      }
      FirstStages::template turn<R>(turned, steps, columns, column);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        at[r * stride * columns] = v[r] * turned[r];
      }
    }
  };

  struct RowSource {
    const Value* from;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int row, int element, int stride) const {
      const Value* const at = from + (row * columns + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = at[q * stride];
      }
    }
  };

  struct ColumnSink {
    Value* to;
    Real scale;
    bool swap;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int column, int row, int stride) const {
      Value* const at = to + (row * rows + column);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        const Value value = scaled(v[r], scale);
        v[r] = swap ? Value{value.im, value.re} : value;
      }
#pragma unroll
      for (int r = 0; r < R; ++r) {
        stream(at + r * stride * rows, v[r]);
      }
    }
  };

  [[gnu::always_inline]] void team_first(const exec::Team& team, const Value* from, Value* ring, int column, Value* data) const {
    const int live = columns - column < First::width ? columns - column : First::width;
    FirstStages::template team_load_stage<Along::inner>(team, ColumnSource{from + column, swap}, first_twiddles, live, data);
    team.barrier();
    FirstStages::team_middle_stages(team, first_twiddles, live, data);
    FirstStages::template team_store_stage<Along::inner>(
        team, TurnedColumnSink{ring + column, between + column, between_steps + column}, live, data);
  }

  [[gnu::always_inline]] void team_second(const exec::Team& team, const Value* ring, Value* to, int row, Value* data) const {
    const int live = rows - row < Second::width ? rows - row : Second::width;
    SecondStages::template team_load_stage<Along::element>(team, RowSource{ring + row * columns}, second_twiddles, live, data);
    team.barrier();
    SecondStages::team_middle_stages(team, second_twiddles, live, data);
    SecondStages::template team_store_stage<Along::inner>(team, ColumnSink{to + row, scale, swap}, live, data);
  }
};

}  // namespace phpc::fft
