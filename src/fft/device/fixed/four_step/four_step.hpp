#pragma once
#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "fft/device/fixed/four_step/phase_schedule.hpp"
#include "fft/device/fixed/stages/conjugate_pairs.hpp"
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/device/pass/pass_form.hpp"

namespace phpc::fft {

/// The fused four-step kernel: a transform of First::length * Second::length elements in one launch: columns of the first length
/// into a ring of work memory that stays in the device's cache, then rows of the second length, written as columns (four-step;
/// Bailey 1990). GPUs only (launch_on_gpu) but for tests.
///
/// Of real numbers it is the transform of m pairs, m being that length, whose elements k and m - k make two of the m + 1 of the
/// half spectrum (pass_ends.hpp). A team that has rows c of the second phase also has rows First::length - c, in which the
/// opposite elements are (conjugate_pairs.hpp), so that the spectrum is made in registers on its way out; on the way back a team
/// has columns c and Second::length - c in the first phase. The array is read once and written once, where two passes and one
/// that only makes the spectrum of the pairs' transform go over it six times.
///
/// Of a longer line, in rows of length elements each, it is the last two of three passes: transforms of all rows, whose results
/// go where those of the line are: element k of row r to element r + line_rows * k. A team has the same elements of several rows
/// then, so that it writes neighbours, and a slot of the ring holds as many rows.
template <class Real, class First, class Second, PassForm Form = PassForm::fused_four_step>
struct FixedFourStepKernel {
  using Value = Complex<Real>;
  using FirstStages = FixedStages<Real, First, ScratchOrder::elements>;
  using SecondStages = FixedStages<Real, Second, ScratchOrder::transforms>;
  static constexpr bool of_rows = Form == PassForm::fused_last_passes;
  static constexpr int column_tiles = static_cast<int>(ceil_div(Second::length, First::width));
  using Schedule = PhaseSchedule<of_rows ? Second::width * column_tiles : column_tiles,
                                 of_rows ? First::length : static_cast<int>(ceil_div(First::length, Second::width))>;
  static constexpr int rows = First::length;
  static constexpr int columns = Second::length;
  static constexpr index_t length = index_t{rows} * columns;
  /// Elements that a slot of the ring holds, of a transform or of as many as a team has rows.
  static constexpr index_t slot_length = (of_rows ? Second::width : 1) * length;
  static constexpr int team_size = FirstStages::team_size;
  static_assert(SecondStages::team_size == team_size);
  static constexpr bool from_real = Form == PassForm::fused_four_step_from_real;
  static constexpr bool to_real = Form == PassForm::fused_four_step_to_real;
  using ColumnLines = std::conditional_t<to_real, ConjugateLines<First::width, columns>, NeighbourLines<First::width, columns>>;
  using RowsOfTile = std::conditional_t<from_real, ConjugateLines<Second::width, rows>, NeighbourLines<Second::width, rows>>;
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see row_shapes.hpp

  struct Scratch {
    PhaseTile item;
    alignas(16) Value data[std::max(FirstStages::places, SecondStages::places)];
  };

  const Value* in;  ///< pairs of real numbers may lie between the places that whole ones can be read from
  Value* out;
  Value* work;                  ///< the ring: schedule.slots transforms
  const Value* first_twiddles;  ///< as FixedShape::twiddle_offset says
  const Value* second_twiddles;
  const Value* four_step_twiddles;  ///< exp(-2 pi i u c / length) at u * columns + c, u < rows / last radix of First
  const Value* four_step_powers;    ///< powers 1, 4, 16 (stored_powers) of exp(-2 pi i c / (columns * that radix)), at c of each
  index_t from_step;                ///< between transforms
  index_t to_step;
  Schedule schedule;
  Real scale;
  bool swap;           ///< real and imaginary parts, before (but for last passes) and after: the inverse transform
  const Value* roots;  ///< of real numbers: exp(-2 pi i k / 2m) for the k of the first elements of conjugate butterflies
  int line_rows = 0;   ///< of the last passes: the rows of a line, each one of these transforms

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    if (team.rank() == 0) {
      scratch.item = schedule.thread_take();
    }
    team.barrier();
    const PhaseTile item = scratch.item;
    Value* const ring = work + item.slot * slot_length;
    if constexpr (of_rows) {
      team_last_passes(team, item, ring, scratch.data);
    } else if (item.phase == 0) {
      team_first(team, in + item.transform * from_step, ring, ColumnLines::of_tile(item.tile), scratch.data);
    } else {
      team_second(team, ring, out + item.transform * to_step, RowsOfTile::of_tile(item.tile), scratch.data);
    }
    team.barrier();
    if (team.rank() == 0) {
      schedule.thread_finish(item);
    }
  }

 private:
  [[gnu::always_inline]] static bool is_whole(const Value* pairs) {
    return reinterpret_cast<std::uintptr_t>(pairs) % sizeof(Value) == 0;
  }

  struct ColumnSource {
    const Value* from;
    ColumnLines lines;
    bool swap;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int column, int row, int stride) const {
      const Value* const at = from + (row * columns + lines(column));
      if (from_real && !is_whole(from)) {
#pragma unroll
        for (int q = 0; q < R; ++q) {
          const Real* const parts = reinterpret_cast<const Real*>(at + q * stride * columns);
          v[q] = {parts[0], parts[1]};
        }
        return;
      }
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = load_streaming(at + q * stride * columns);
      }
      if (swap) {
        thread_swap(v);
      }
    }
  };

  /// Half a spectrum, as that of pairs.
  struct HalfSource {
    const Value* from;
    const Value* roots;
    ColumnLines lines;

    template <int R>
    [[gnu::always_inline]] void load(Value (&low)[R], Value (&high)[R], const ConjugateButterflies& at, int stride) const {
      const int low_first = at.low * columns + lines(at.low_line);
      const int high_first = at.high * columns + lines(at.high_line);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        low[q] = load_streaming(from + (low_first + q * stride * columns));
        high[q] = load_streaming(from + (high_first + q * stride * columns));
      }
      Value last{};
      if (at.is_end) {  // elements 0 and m are real
        last = {from[length].re, 0};
        low[0].im = 0;
      }
      thread_combine(low, high, last, roots[low_first], roots[high_first], at.is_end, C2rPreprocess{});
      thread_swap(low);
      thread_swap(high);
    }
  };

  struct TwiddledColumnSink {
    Value* to;
    const Value* four_step_twiddles;
    const Value* steps;
    ColumnLines lines;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int i, int row, int stride) const {
      const int column = lines(i);
      const Value first = four_step_twiddles[row * columns + column];
      Value* const at = to + (row * columns + column);
      Value factors[R];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        factors[r] = first;
      }
      FirstStages::template apply_twiddles<R>(factors, steps, columns, column);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        at[r * stride * columns] = v[r] * factors[r];
      }
    }
  };

  /// Neighbouring transforms of the last passes, one after the other in the ring, their results side by side in the line.
  struct RowGroup {
    int count;

    [[gnu::always_inline]] constexpr int operator()(int i) const { return i; }
    [[gnu::always_inline]] constexpr int live() const { return count; }
  };
  using RowLines = std::conditional_t<of_rows, RowGroup, RowsOfTile>;

  struct RowSource {
    static constexpr index_t row_step = of_rows ? length : columns;
    const Value* from;
    RowLines lines;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int row, int element, int stride) const {
      const Value* const at = from + (lines(row) * row_step + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = at[q * stride];
      }
    }
  };

  struct ColumnSink {
    Value* to;
    RowLines lines;
    Real scale;
    bool swap;
    int line_rows;

    [[gnu::always_inline]] index_t step() const { return of_rows ? index_t{line_rows} * rows : rows; }

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int column, int row, int stride) const {
      Value* const at = to + (row * step() + lines(column));
#pragma unroll
      for (int r = 0; r < R; ++r) {
        v[r] = scaled(v[r], scale);
      }
      if (swap) {
        thread_swap(v);
      }
      if (to_real && !is_whole(to)) {
#pragma unroll
        for (int r = 0; r < R; ++r) {
          Real* const parts = reinterpret_cast<Real*>(at + r * stride * step());
          parts[0] = v[r].re;
          parts[1] = v[r].im;
        }
        return;
      }
#pragma unroll
      for (int r = 0; r < R; ++r) {
        store_streaming(at + r * stride * step(), v[r]);
      }
    }
  };

  /// The spectrum of pairs, as half a spectrum.
  struct HalfSink {
    Value* to;
    const Value* roots;
    RowLines lines;
    Real half_scale;

    template <int R>
    [[gnu::always_inline]] void store(Value (&low)[R], Value (&high)[R], const ConjugateButterflies& at, int stride) const {
      const int low_first = at.low * rows + lines(at.low_line);
      const int high_first = at.high * rows + lines(at.high_line);
      Value last = low[0];
      thread_combine(low, high, last, roots[low_first], roots[high_first], at.is_end, R2cPostprocess{});
#pragma unroll
      for (int r = 0; r < R; ++r) {
        store_streaming(to + (low_first + r * stride * rows), scaled(low[r], half_scale));
        store_streaming(to + (high_first + r * stride * rows), scaled(high[r], half_scale));
      }
      if (at.is_end) {
        store_streaming(to + length, scaled(last, half_scale));
      }
    }
  };

  [[gnu::always_inline]] void team_first(const exec::Team& team, const Value* from, Value* ring, const ColumnLines& lines,
                                         Value* data) const {
    const int live = lines.live();
    if constexpr (to_real) {
      FirstStages::team_load_conjugate_pairs(team, lines, HalfSource{from, roots, lines}, first_twiddles, data);
    } else {
      FirstStages::template team_load_stage<Along::inner>(team, ColumnSource{from, lines, swap && !of_rows}, first_twiddles, live,
                                                          data);
    }
    team.barrier();
    FirstStages::team_middle_stages(team, first_twiddles, live, data);
    FirstStages::template team_store_stage<Along::inner>(
        team, TwiddledColumnSink{ring, four_step_twiddles, four_step_powers, lines}, live, data);
  }

  [[gnu::always_inline]] void team_second(const exec::Team& team, const Value* ring, Value* to, const RowLines& lines,
                                          Value* data) const {
    const int live = lines.live();
    SecondStages::template team_load_stage<Along::element>(team, RowSource{ring, lines}, second_twiddles, live, data);
    team.barrier();
    SecondStages::team_middle_stages(team, second_twiddles, live, data);
    if constexpr (from_real) {
      SecondStages::team_store_conjugate_pairs(team, lines, HalfSink{to, roots, lines, scale / 2}, data);
    } else {
      SecondStages::template team_store_stage<Along::inner>(team, ColumnSink{to, lines, scale, swap, line_rows}, live, data);
    }
  }

  /// A tile of the last two passes of a line, which lies in line_rows rows. Of a group of neighbouring rows the first phase makes
  /// columns of one row, the second one a row of each.
  [[gnu::always_inline]] void team_last_passes(const exec::Team& team, const PhaseTile& item, Value* ring, Value* data) const
    requires of_rows
  {
    constexpr int width = Second::width;
    const int groups = (line_rows + width - 1) / width;
    const int line = item.transform / groups;
    const int first = (item.transform - line * groups) * width;
    const int live = line_rows - first < width ? line_rows - first : width;
    if (item.phase == 0) {
      const int row = item.tile / column_tiles;
      if (row < live) {
        team_first(team, in + (line * from_step + (first + row) * length), ring + row * length,
                   ColumnLines::of_tile(item.tile - row * column_tiles), data);
      }
    } else {
      team_second(team, ring + item.tile * columns, out + (line * to_step + first + index_t{item.tile} * line_rows),
                  RowGroup{live}, data);
    }
  }
};

}  // namespace phpc::fft
