#pragma once
#include "fft/fixed_stages.hpp"

namespace phpc::fft {

/// Bluestein's transform of n elements in one kernel, for n up to half the shape's length: both transforms of the convolution
/// stay in scratch. The first leaves its result in digit-reversed order, which the second, with the same stages transposed, takes
/// back to natural order: the transform is F = P S_k ... S_1 with the permutation P, and, being symmetric, also F = S_1^T ...
/// S_k^T P^T. GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape>
struct FixedConvolutionKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  static_assert(Shape::stages > 1);

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  const Value* in;
  Value* out;
  const Value* twiddles;  ///< as Shape::twiddle_offset says
  const Value* chirp;     ///< n values
  const Value* filter;    ///< the filter's spectrum over the shape's length, in digit-reversed order
  index_t count;          ///< transforms
  int n;
  Real scale;
  bool is_inverse;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    team_first_stage(team, in + first * n, live, scratch.data);
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::team_product_stage(team, Product{filter}, live, scratch.data);
    Stages::team_middle_stages_back(team, twiddles, live, scratch.data);
    team_first_stage_back(team, out + first * n, live, scratch.data);
  }

 private:
  [[gnu::always_inline]] static Value swapped(Value value) { return {value.im, value.re}; }

  [[gnu::always_inline]] void team_first_stage(const exec::Team& team, const Value* from, int live, Value* data) const {
    constexpr int radix = Shape::radix[0];
    constexpr int stride = Stages::lanes(radix);
#pragma unroll(Stages::together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = i / stride;
      const int j = i % stride;
      if (transform < live) {
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          const int e = j + q * stride;
          v[q] = {0, 0};
          if (e < n) {
            const Value value = from[static_cast<index_t>(transform) * n + e];
            v[q] = (is_inverse ? swapped(value) : value) * chirp[e];
          }
        }
        butterfly<radix>(v);
        Stages::template turn<radix>(v, twiddles, stride, j);
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          data[Stages::template place<radix, stride>(transform, j, r)] = v[r];
        }
      }
    }
    team.barrier();
  }

  /// What follows the product is an inverse transform: a forward one of numbers whose parts have traded places.
  struct Product {
    const Value* filter;

    template <int R>
    [[gnu::always_inline]] void apply(Value (&v)[R], int /*transform*/, int base) const {
#pragma unroll
      for (int r = 0; r < R; ++r) {
        v[r] = swapped(v[r] * filter[base + r]);
      }
    }
  };

  [[gnu::always_inline]] void team_first_stage_back(const exec::Team& team, Value* to, int live, const Value* data) const {
    constexpr int radix = Shape::radix[0];
    constexpr int stride = Stages::lanes(radix);
#pragma unroll(Stages::together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = i / stride;
      const int j = i % stride;
      if (transform < live && j < n) {
        Value v[radix];
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          v[r] = data[Stages::template place<radix, stride>(transform, j, r)];
        }
        Stages::template turn<radix>(v, twiddles, stride, j);
        butterfly<radix>(v);
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          const int e = j + q * stride;
          if (e < n) {
            const Value value = scaled(swapped(v[q]) * chirp[e], scale);
            to[static_cast<index_t>(transform) * n + e] = is_inverse ? swapped(value) : value;
          }
        }
      }
    }
  }
};

}  // namespace phpc::fft
