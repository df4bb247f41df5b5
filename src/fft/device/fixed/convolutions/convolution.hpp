#pragma once
#include <type_traits>

#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/pass/cache_hints.hpp"
#include "fft/lines/row_kind.hpp"

namespace phpc::fft {

/// Bluestein's transform of rows in one kernel: of n complex numbers, of n real ones to half a spectrum, or of that back, where
/// the shape has room for all elements and results (ChirpExtents). Both transforms of the convolution stay in scratch. The first
/// leaves its result in digit-reversed order, which the second, with the same stages transposed, takes back to natural order: the
/// transform is F = P S_k ... S_1 with the permutation P, and, being symmetric, also F = S_1^T ... S_k^T P^T. GPUs only
/// (launch_on_gpu) but for tests.
template <class Real, class Shape, RowKind Kind>
struct FixedConvolutionKernel {
  using Value = Complex<Real>;
  using From = std::conditional_t<Kind == RowKind::from_reals, Real, Value>;
  using To = std::conditional_t<Kind == RowKind::to_reals, Real, Value>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see convolution_shapes.hpp
  static_assert(Shape::stages > 1);

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  const From* in;
  To* out;
  const Value* twiddles;          ///< as Shape::twiddle_offset says
  const Value* load_factors;      ///< of the elements: the chirp, of half a spectrum twice that but for what is its own conjugate
  const Value* store_factors;     ///< of the results: the chirp
  const Value* bluestein_filter;  ///< the filter's spectrum over the shape's length
  index_t count;                  ///< transforms
  index_t from_step;              ///< between transforms, in numbers of that side
  index_t to_step;
  int n;  ///< of whole lines
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

  /// The most elements and results of a line that the shape has room for: of n complex numbers 2 n - 1 <= length, of real ones
  /// n + n / 2 <= length.
  static constexpr int most_half = Shape::length / 3 + 2;
  static constexpr int most_reals = 2 * Shape::length / 3 + 2;
  static constexpr int most_complex = (Shape::length + 1) / 2;
  static constexpr int most_elements = Kind == RowKind::complex      ? most_complex
                                       : Kind == RowKind::from_reals ? most_reals
                                                                     : most_half;
  static constexpr int most_results = Kind == RowKind::complex      ? most_complex
                                      : Kind == RowKind::from_reals ? most_half
                                                                    : most_reals;

  [[gnu::always_inline]] int elements() const { return Kind == RowKind::to_reals ? n / 2 + 1 : n; }
  [[gnu::always_inline]] int results() const { return Kind == RowKind::from_reals ? n / 2 + 1 : n; }

  struct Input {
    const FixedConvolutionKernel& kernel;
    const From* from;

    /// Returns an element, 0 behind the last.
    [[gnu::always_inline]] Value element_at(const From* row, int e) const {
      if constexpr (Kind == RowKind::from_reals) {
        return {e < kernel.n ? row[e] : Real{0}, Real{0}};
      } else {
        Value value = load_streaming_if(e < kernel.elements(), row + e);
        if constexpr (Kind == RowKind::to_reals) {
          value.im = e == 0 || 2 * e == kernel.n ? Real{0} : value.im;  // elements that are their own conjugates
        }
        return value;
      }
    }

    template <int R>
    [[gnu::always_inline]] void load(Value (&v)[R], int transform, int element, int stride) const {
      const From* const row = from + transform * kernel.from_step;
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = {0, 0};
        if (q * stride < most_elements) {
          v[q] = element_at(row, element + q * stride);
        }
      }
#pragma unroll
      for (int q = 0; q < R && q * stride < most_elements; ++q) {
        const int e = element + q * stride;
        v[q] = (kernel.is_inverse ? swapped(v[q]) : v[q]) * table_entry_if(e < kernel.elements(), kernel.load_factors + e);
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
      prime_factor_butterfly<R>(v);
    }
  };

  struct Output {
    const FixedConvolutionKernel& kernel;
    To* to;

    template <int R>
    [[gnu::always_inline]] void store(Value (&v)[R], int transform, int element, int stride) const {
      To* const row = to + transform * kernel.to_step;
#pragma unroll
      for (int q = 0; q < R && q * stride < most_results; ++q) {
        const int e = element + q * stride;
        const bool is_there = e < kernel.results();
        const Value value = scaled(swapped(v[q]) * table_entry_if(is_there, kernel.store_factors + e), kernel.scale);
        if constexpr (Kind == RowKind::to_reals) {
          if (is_there) {
            store_streaming(row + e, kernel.is_inverse ? value.im : value.re);
          }
        } else {
          store_streaming_if(is_there, row + e, kernel.is_inverse ? swapped(value) : value);
        }
      }
    }
  };
};

}  // namespace phpc::fft
