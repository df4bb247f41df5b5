#pragma once
#include "fft/device/fixed/four_step/phase_schedule.hpp"
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/pass/cache_hints.hpp"

namespace phpc::fft {

/// Bluestein's transform of n elements in one launch, for n up to half of First::length * Second::length, where its convolution
/// does not fit into the scratch of one team. The convolution's transforms go over a ring of work memory that stays in the
/// device's cache: columns; rows, the product with the filter and rows back; columns back. GPUs only (launch_on_gpu) but for
/// tests.
template <class Real, class First, class Second>
struct FixedFourStepConvolutionKernel {
  using Value = Complex<Real>;
  using FirstStages = FixedStages<Real, First, ScratchOrder::elements>;
  using SecondStages = FixedStages<Real, Second, ScratchOrder::transforms>;
  static constexpr int rows = First::length;
  static constexpr int columns = Second::length;
  static constexpr int column_tiles = static_cast<int>(ceil_div(columns, First::width));
  using Schedule = PhaseSchedule<column_tiles, static_cast<int>(ceil_div(rows, Second::width)), column_tiles>;
  static constexpr index_t length = index_t{rows} * columns;
  static constexpr int team_size = FirstStages::team_size;
  static_assert(SecondStages::team_size == team_size);
  static_assert(First::radix[0] == First::radix[First::stages - 1], "one table serves the way there and back");
  static_assert(Second::stages > 1);

  struct Scratch {
    PhaseTile item;
    alignas(16) Value data[FirstStages::places > SecondStages::places ? FirstStages::places : SecondStages::places];
  };

  const Value* in;
  Value* out;
  Value* work;                  ///< schedule.slots convolutions
  const Value* first_twiddles;  ///< as FixedShape::twiddle_offset says
  const Value* second_twiddles;
  const Value* four_step_twiddles;  ///< exp(-2 pi i u c / length) at u * columns + c, u < rows / radix of First
  const Value* four_step_powers;    ///< powers 1, 4, 16 (stored_powers) of exp(-2 pi i c / (columns * that radix)), at c of each
  const Value* chirp;               ///< n values
  const Value* bluestein_filter;    ///< the filter's spectrum: element r + rows * k at place k of row r
  index_t from_step;                ///< between transforms
  index_t to_step;
  Schedule schedule;
  int n;
  Real scale;
  bool is_inverse;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    if (team.rank() == 0) {
      scratch.item = schedule.thread_take();
    }
    team.barrier();
    const PhaseTile item = scratch.item;
    Value* const ring = work + item.slot * length;
    if (item.phase == 1) {
      team_rows(team, ring, item.tile * Second::width, scratch.data);
    } else if (item.phase == 0) {
      team_columns(team, InputSource{*this, in + item.transform * from_step, item.tile * First::width},
                   RingSink{*this, ring, item.tile * First::width}, item.tile * First::width, scratch.data);
    } else {
      team_columns(team, RingSource{*this, ring, item.tile * First::width},
                   OutputSink{*this, out + item.transform * to_step, item.tile * First::width}, item.tile * First::width,
                   scratch.data);
    }
    team.barrier();
    if (team.rank() == 0) {
      schedule.thread_finish(item);
    }
  }

 private:
  using Kernel = FixedFourStepConvolutionKernel;
  [[gnu::always_inline]] static Value swapped(Value value) { return {value.im, value.re}; }

  /// v[q] *= exp(-2 pi i column (row + q * stride) / length)
  template <int R>
  [[gnu::always_inline]] void thread_apply_four_step_twiddles(Value (&v)[R], int column, int row) const {
    const Value first = four_step_twiddles[row * columns + column];
#pragma unroll
    for (int q = 0; q < R; ++q) {
      v[q] = v[q] * first;
    }
    FirstStages::template apply_twiddles<R>(v, four_step_powers, columns, column);
  }

  struct InputSource {
    const Kernel& kernel;
    const Value* from;
    int first;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int column, int row, int stride) const {
      const int at = row * columns + first + column;
#pragma unroll
      for (int q = 0; q < R; ++q) {
        const int e = at + q * stride * columns;
        v[q] = {0, 0};
        if (e < kernel.n) {
          const Value value = load_streaming(from + e);
          v[q] = (kernel.is_inverse ? swapped(value) : value) * kernel.chirp[e];
        }
      }
    }
  };

  struct RingSink {
    const Kernel& kernel;
    Value* to;
    int first;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int column, int row, int stride) const {
      kernel.thread_apply_four_step_twiddles(v, first + column, row);
      Value* const at = to + (row * columns + first + column);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        at[r * stride * columns] = v[r];
      }
    }
  };

  struct RingSource {
    const Kernel& kernel;
    const Value* from;
    int first;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int column, int row, int stride) const {
      const Value* const at = from + (row * columns + first + column);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = at[q * stride * columns];
      }
      kernel.thread_apply_four_step_twiddles(v, first + column, row);
    }
  };

  struct OutputSink {
    const Kernel& kernel;
    Value* to;
    int first;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int column, int row, int stride) const {
      const int at = row * columns + first + column;
#pragma unroll
      for (int r = 0; r < R; ++r) {
        const int e = at + r * stride * columns;
        if (e < kernel.n) {
          const Value value = scaled(swapped(v[r]) * kernel.chirp[e], kernel.scale);
          store_streaming(to + e, kernel.is_inverse ? swapped(value) : value);
        }
      }
    }
  };

  template <class Source, class Sink>
  [[gnu::always_inline]] void team_columns(const exec::Team& team, const Source& source, const Sink& sink, int column,
                                           Value* data) const {
    const int live = columns - column < First::width ? columns - column : First::width;
    FirstStages::template team_load_stage<Along::inner>(team, source, first_twiddles, live, data);
    team.barrier();
    FirstStages::team_middle_stages(team, first_twiddles, live, data);
    FirstStages::template team_store_stage<Along::inner>(team, sink, live, data);
  }

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

  struct RowSink {
    Value* to;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int row, int element, int stride) const {
      Value* const at = to + (row * columns + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        at[q * stride] = v[q];
      }
    }
  };

  /// Multiplies by the filter's spectrum and does the first stage of the transform back, an inverse one: a forward one of numbers
  /// whose real and imaginary parts are swapped.
  struct Product {
    const Value* bluestein_filter;

    template <int R>
    [[gnu::always_inline]] void apply(Value (&v)[R], int row, int element, int stride) const {
      const Value* const at = bluestein_filter + (row * columns + element);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        v[r] = swapped(v[r] * at[r * stride]);
      }
      prime_factor_butterfly<R>(v);
    }
  };

  [[gnu::always_inline]] void team_rows(const exec::Team& team, Value* ring, int row, Value* data) const {
    const int live = rows - row < Second::width ? rows - row : Second::width;
    Value* const first = ring + row * columns;
    SecondStages::template team_load_stage<Along::element>(team, RowSource{first}, second_twiddles, live, data);
    team.barrier();
    SecondStages::team_middle_stages(team, second_twiddles, live, data);
    SecondStages::team_last_stage(team, Product{bluestein_filter + row * columns}, live, data);
    SecondStages::team_middle_stages_back(team, second_twiddles, live, data);
    SecondStages::team_store_stage_back(team, RowSink{first}, second_twiddles, live, data);
  }
};

}  // namespace phpc::fft
