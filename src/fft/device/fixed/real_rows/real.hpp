#pragma once
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/pass/pass_ends.hpp"

namespace phpc::fft {

/// Transforms rows of 2m real numbers to the m + 1 first elements of their spectra, m being the shape's length: the transform of
/// the m complex numbers x[2j] + i x[2j + 1], whose last stage leaves its results in scratch, from where each element of the
/// result is made of two (pass_ends.hpp: r2c_postprocessed). GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape>
struct FixedFromRealKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int m = Shape::length;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
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
    Stages::team_last_stage(team, AsItIs{}, live, scratch.data);
    team_r2c_postprocess(team, out + first * to_step, live, scratch.data);
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

  struct AsItIs {
    template <int R>
    [[gnu::always_inline]] void apply(Value (& /*v*/)[R], int /*row*/, int /*element*/, int /*stride*/) const {}
  };

  /// Element u + r * stride of a transform lies r places after that of u.
  [[gnu::always_inline]] void team_r2c_postprocess(const exec::Team& team, Value* to, int live, const Value* data) const {
    constexpr int radix = Shape::radix[Shape::stages - 1];
    constexpr int stride = Stages::butterflies(radix);
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int row = i / stride;
      const int u = i % stride;
      if (row < live) {
        const int here = digit_reversed_place<Shape>(u);
        const int opposite = digit_reversed_place<Shape>(u == 0 ? 0 : stride - u);
        Value* const at = to + row * to_step;
#pragma unroll(4)
        for (int r = 0; r < radix; ++r) {
          const int opposite_r = u == 0 ? (radix - r) % radix : radix - 1 - r;
          const int k = u + r * stride;
          at[k] = scaled(r2c_postprocessed(data[Stages::template place<radix, 1>(row, here, r)],
                                           data[Stages::template place<radix, 1>(row, opposite, opposite_r)], roots[k]),
                         scale);
        }
        if (u == 0) {
          const Value first = data[Stages::template place<radix, 1>(row, here, 0)];
          at[m] = scaled(r2c_postprocessed(first, first, roots[m]), scale);
        }
      }
    }
  }
};

/// Transforms back: m + 1 elements of the spectra of rows of 2m real numbers to these rows (times 2m). Elements k and m - k give
/// two of the m complex numbers (pass_ends.hpp: c2r_preprocessed) whose inverse transform is x[2j] + i x[2j + 1].
template <class Real, class Shape>
struct FixedToRealKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int m = Shape::length;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
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
    team_c2r_preprocess(team, in + first * from_step, live, scratch.data);
    team.barrier();
    Stages::template team_stage<0, Stages::TwiddleSide::results>(team, twiddles, live, scratch.data);
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::template team_store_stage<Along::element>(team, Rows{out + first * to_step, to_step, scale}, live, scratch.data);
  }

 private:
  /// Swaps real and imaginary parts before and after a forward transform, which makes it the inverse one.
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

  [[gnu::always_inline]] void team_c2r_preprocess(const exec::Team& team, const Value* from, int live, Value* data) const {
    constexpr int pairs = m / 2 + 1;
    constexpr int each = static_cast<int>(ceil_div(width * pairs, team_size));
    constexpr int batch = each < 4 ? each : 4;  // loads in flight: see FixedTile
    for (int begin = team.rank(); begin < width * pairs; begin += batch * team.size()) {
      Value low[batch];
      Value high[batch];
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        const int i = begin + b * team.size();
        const int row = i / pairs < live ? i / pairs : live - 1;
        const Value* const at = from + row * from_step;
        low[b] = at[i % pairs];
        high[b] = at[m - i % pairs];
      }
#pragma unroll
      for (int b = 0; b < batch; ++b) {
        const int i = begin + b * team.size();
        const int row = i / pairs;
        const int k = i % pairs;
        if (row < live) {
          if (k == 0) {  // both are real
            low[b].im = 0;
            high[b].im = 0;
          }
          const Value root = roots[k];
          data[Stages::place(row, k)] = swapped(c2r_preprocessed(low[b], high[b], root));
          if (k > 0) {
            data[Stages::place(row, m - k)] = swapped(c2r_preprocessed(high[b], low[b], Value{-root.re, root.im}));
          }
        }
      }
    }
  }
};

}  // namespace phpc::fft
