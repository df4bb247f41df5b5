#pragma once
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/pass/cache_hints.hpp"

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
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see convolution_shapes.hpp
  static_assert(Shape::stages > 1);

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  const Value* in;
  Value* out;
  const Value* twiddles;          ///< as Shape::twiddle_offset says
  const Value* chirp;             ///< n values
  const Value* bluestein_filter;  ///< the filter's spectrum over the shape's length
  index_t count;                  ///< transforms
  index_t from_step;              ///< between transforms
  index_t to_step;
  int n;
  Real scale;
  bool is_inverse;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    Stages::template team_load_stage<Along::element>(team, Input{*this, in + first * from_step}, twiddles, live, scratch.data);
    team.barrier();
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::team_last_stage(team, Product{bluestein_filter}, live, scratch.data);
    Stages::team_middle_stages_back(team, twiddles, live, scratch.data);
    Stages::team_store_stage_back(team, Output{*this, out + first * to_step}, twiddles, live, scratch.data);
  }

 private:
  [[gnu::always_inline]] static Value swapped(Value value) { return {value.im, value.re}; }

  /// Elements from there on are 0 in any line that the shape has room for: 2 n - 1 <= length.
  static constexpr int end = (Shape::length + 1) / 2;

  struct Input {
    const FixedConvolutionKernel& kernel;
    const Value* from;

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int transform, int element, int stride) const {
      const Value* const row = from + (transform * kernel.from_step + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = {0, 0};
        if (q * stride < end) {
          v[q] = load_streaming_if(element + q * stride < kernel.n, row + q * stride);
        }
      }
#pragma unroll
      for (int q = 0; q < R && q * stride < end; ++q) {
        const int e = element + q * stride;
        v[q] = (kernel.is_inverse ? swapped(v[q]) : v[q]) * table_entry_if(e < kernel.n, kernel.chirp + e);
      }
    }
  };

  /// Multiplies by the filter's spectrum and does the first stage of the transform back, an inverse one: a forward one of numbers
  /// whose real and imaginary parts are swapped.
  struct Product {
    const Value* spectrum;

    template <int R>
    [[gnu::always_inline]] void apply(Value (&v)[R], int /*transform*/, int element, int stride) const {
#pragma unroll
      for (int r = 0; r < R; ++r) {
        v[r] = swapped(v[r] * table_entry(spectrum + (element + r * stride)));
      }
      butterfly<R>(v);
    }
  };

  struct Output {
    const FixedConvolutionKernel& kernel;
    Value* to;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int transform, int element, int stride) const {
      Value* const row = to + (transform * kernel.to_step + element);
#pragma unroll
      for (int q = 0; q < R && q * stride < end; ++q) {
        const int e = element + q * stride;
        const Value value = scaled(swapped(v[q]) * table_entry_if(e < kernel.n, kernel.chirp + e), kernel.scale);
        store_streaming_if(e < kernel.n, row + q * stride, kernel.is_inverse ? swapped(value) : value);
      }
    }
  };
};

}  // namespace phpc::fft
