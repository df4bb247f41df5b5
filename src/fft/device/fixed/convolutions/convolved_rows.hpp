#pragma once
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/fixed/stages/twiddles_between.hpp"
#include "fft/device/pass/cache_hints.hpp"

namespace phpc::fft {

/// The middle pass of a long convolution (LongConvolution), in place: of each row a transform, the product with the row's part of
/// the filter's spectrum, a transform back, and the twiddles between that and the last pass. The transform back is an inverse
/// one, done as a forward one of numbers whose real and imaginary parts are swapped; they stay so. Stages are those of
/// FixedConvolutionKernel. GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape>
struct FixedConvolvedRowsKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see convolution_shapes.hpp
  static_assert(Shape::stages > 1);

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  Value* rows;            ///< Shape::length elements each, one after the other
  const Value* twiddles;  ///< as Shape::twiddle_offset says
  const Value* spectrum;  ///< of each row of a line
  TwiddlesBetween<Real> between;
  index_t count;  ///< rows of all lines
  int rows_of_line;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    const Rows own{*this, rows + first * Shape::length, first};
    Stages::template team_load_stage<Along::element>(team, own, twiddles, live, scratch.data);
    team.barrier();
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::team_last_stage(team, own, live, scratch.data);
    Stages::team_middle_stages_back(team, twiddles, live, scratch.data);
    Stages::team_store_stage_back(team, own, twiddles, live, scratch.data);
  }

 private:
  /// A team's rows.
  struct Rows {
    const FixedConvolvedRowsKernel& kernel;
    Value* data;
    index_t first;

    /// The number of a row in its line.
    [[gnu::always_inline]] index_t number_in_line(int row) const { return (first + row) % kernel.rows_of_line; }

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int row, int element, int stride) const {
      const Value* const at = data + (row * Shape::length + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = load_streaming(at + q * stride);
      }
    }

    template <int R>
    [[gnu::always_inline]] void apply(Value (&v)[R], int row, int element, int stride) const {
      const Value* const at = kernel.spectrum + (number_in_line(row) * Shape::length + element);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        const Value value = v[r] * table_entry(at + r * stride);
        v[r] = {value.im, value.re};
      }
      prime_factor_butterfly<R>(v);
    }

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int row, int element, int stride) const {
      const index_t number = number_in_line(row);
      kernel.between.thread_apply(v, number * element, number * stride);
      Value* const at = data + (row * Shape::length + element);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        store_streaming(at + q * stride, v[q]);
      }
    }
  };
};

}  // namespace phpc::fft
