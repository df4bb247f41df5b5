#pragma once
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/pass/pass_ends.hpp"

namespace phpc::fft {

/// Transforms rows of 2m real numbers to the m + 1 first elements of their spectra, m being the shape's length: the transform of
/// the m complex numbers x[2j] + i x[2j + 1], of which each thread takes butterflies of the last stage in pairs that hold
/// opposite elements, k and m - k, and makes the results of them (R2cPostprocess). GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape>
struct FixedFromRealKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int m = Shape::length;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see row_shapes.hpp
  static_assert(Shape::stages > 1);

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  const Value* in;  ///< pairs of real numbers
  Value* out;
  const Value* twiddles;  ///< as Shape::twiddle_offset says
  const Value* roots;     ///< exp(-2 pi i k / 2m), 0 <= k <= m
  index_t count;          ///< rows
  index_t from_step;      ///< pairs from one row to the next
  index_t to_step;
  Real scale;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    Stages::template team_load_stage<Along::element>(team, Rows{in + first * from_step, from_step}, twiddles, live, scratch.data);
    team.barrier();
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::team_store_conjugate_pairs(team, WholeLines<width>{},
                                       HalfSpectra{out + first * to_step, to_step, roots, Real(0.5) * scale, live}, scratch.data);
  }

 private:
  struct Rows {
    const Value* from;
    index_t step;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int row, int element, int stride) const {
      const Value* const at = from + (row * step + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = at[q * stride];
      }
    }
  };

  struct HalfSpectra {
    Value* to;
    index_t step;
    const Value* roots;
    Real half_scale;
    int live;

    template <int R>
    [[gnu::always_inline]] void store(Value (&low)[R], Value (&high)[R], const ConjugateButterflies& pair, int stride) const {
      if (pair.low_line >= live) {
        return;
      }
      Value last = low[0];
      thread_combine(low, high, last, roots[pair.low], roots[pair.high], pair.is_end, R2cPostprocess{});
      Value* const at = to + pair.low_line * step;
#pragma unroll
      for (int r = 0; r < R; ++r) {
        at[pair.low + r * stride] = scaled(low[r], half_scale);
      }
#pragma unroll
      for (int r = 0; r < R; ++r) {
        at[pair.high + r * stride] = scaled(high[r], half_scale);
      }
      if (pair.is_end) {
        at[m] = scaled(last, half_scale);
      }
    }
  };
};

/// Transforms back: m + 1 elements of the spectra of rows of 2m real numbers to these rows (times 2m). Elements k and m - k give
/// two of the m complex numbers (C2rPreprocess) whose inverse transform is x[2j] + i x[2j + 1]; each thread takes butterflies of
/// the first stage in pairs that hold such elements.
template <class Real, class Shape>
struct FixedToRealKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int m = Shape::length;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see row_shapes.hpp
  static_assert(Shape::stages > 1);

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  const Value* in;
  Value* out;             ///< pairs of real numbers
  const Value* twiddles;  ///< as Shape::twiddle_offset says
  const Value* roots;     ///< exp(-2 pi i k / 2m), 0 <= k < m
  index_t count;          ///< rows
  index_t from_step;
  index_t to_step;  ///< pairs from one row to the next
  Real scale;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    Stages::team_load_conjugate_pairs(team, WholeLines<width>{}, HalfSpectra{in + first * from_step, from_step, roots, live},
                                      twiddles, scratch.data);
    team.barrier();
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::template team_store_stage<Along::element>(team, Rows{out + first * to_step, to_step, scale}, live, scratch.data);
  }

 private:
  // Real and imaginary parts are swapped before and after a forward transform, which makes it the inverse one.

  struct HalfSpectra {
    const Value* from;
    index_t step;
    const Value* roots;
    int live;

    template <int R>
    [[gnu::always_inline]] void load(Value (&low)[R], Value (&high)[R], const ConjugateButterflies& pair, int stride) const {
      const Value* const at = from + (pair.low_line < live ? pair.low_line : live - 1) * step;
#pragma unroll
      for (int q = 0; q < R; ++q) {
        low[q] = at[pair.low + q * stride];
      }
#pragma unroll
      for (int q = 0; q < R; ++q) {
        high[q] = at[pair.high + q * stride];
      }
      Value last{};
      if (pair.is_end) {  // elements 0 and m are real
        last = {at[m].re, 0};
        low[0].im = 0;
      }
      thread_combine(low, high, last, roots[pair.low], roots[pair.high], pair.is_end, C2rPreprocess{});
      thread_swap(low);
      thread_swap(high);
    }
  };

  struct Rows {
    Value* to;
    index_t step;
    Real scale;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int row, int element, int stride) const {
      Value* const at = to + (row * step + element);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        at[r * stride] = scaled(swapped(v[r]), scale);
      }
    }
  };
};

}  // namespace phpc::fft
