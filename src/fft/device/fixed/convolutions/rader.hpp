#pragma once
#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/fixed/stages/tile.hpp"

namespace phpc::fft {

/// Transforms of a prime length p = Shape::length + 1 in one kernel, as a cyclic convolution of length p - 1 (Rader, "Discrete
/// Fourier transforms when the number of data samples is prime", 1968): for a primitive root g, X[g^-k] = x[0] + sum_j x[g^j]
/// w^(g^(j - k)). Elements are put in that order on their way into scratch and taken out of it on the way back, so that memory is
/// read and written in order. The rest is as in FixedConvolutionKernel. GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape>
struct FixedRaderKernel {
  using Value = Complex<Real>;
  using Stages = FixedStages<Real, Shape, ScratchOrder::transforms>;
  static constexpr int prime = Shape::length + 1;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  using Tile = FixedTile<Real, prime, width, team_size, 4>;
  static_assert(Shape::stages > 1);

  struct Scratch {
    Value zeroth[width];  ///< x[0] of each transform, then X[0]
    alignas(16) Value data[Stages::places];
  };

  const Value* in;
  Value* out;
  const Value* twiddles;  ///< as Shape::twiddle_offset says
  const Value* filter;    ///< the spectrum of rader_filter(), in digit-reversed order
  const int* from_log;    ///< from_log[e - 1] = j with g^j = e
  const int* to_log;      ///< to_log[k - 1] = j with g^-j = k
  index_t count;          ///< transforms
  index_t from_step;      ///< between transforms
  index_t to_step;
  Real scale;
  bool is_inverse;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    Tile::team_load(team, in + first * from_step, from_step, live, Sink{scratch.zeroth, scratch.data, from_log, is_inverse});
    team.barrier();
    Stages::template team_stage<0, Stages::TwiddleSide::results>(team, twiddles, live, scratch.data);
    Stages::team_middle_stages(team, twiddles, live, scratch.data);
    Stages::team_last_stage(team, Product{filter, scratch.zeroth}, live, scratch.data);
    Stages::team_middle_stages_back(team, twiddles, live, scratch.data);
    Stages::template team_stage<0, Stages::TwiddleSide::inputs>(team, twiddles, live, scratch.data);
    Tile::team_store(team, out + first * to_step, to_step, live, Source{scratch.zeroth, scratch.data, to_log, scale, is_inverse});
  }

 private:
  [[gnu::always_inline]] static Value swapped(Value value) { return {value.im, value.re}; }

  struct Sink {
    Value* zeroth;
    Value* data;
    const int* from_log;
    bool swap;
    [[gnu::always_inline]] void put(int i, Value value) const {
      const int transform = i / prime;
      const int e = i % prime;
      Value* const place = e == 0 ? zeroth + transform : data + Stages::place(transform, from_log[e - 1]);
      *place = swap ? swapped(value) : value;
    }
  };

  struct Source {
    const Value* zeroth;
    const Value* data;
    const int* to_log;
    Real scale;
    bool swap;
    [[gnu::always_inline]] Value get(int i) const {
      const int transform = i / prime;
      const int k = i % prime;
      const Value value = k == 0 ? zeroth[transform] : swapped(data[Stages::place(transform, to_log[k - 1])]);
      return scaled(swap ? swapped(value) : value, scale);
    }
  };

  /// Multiplies by the filter's spectrum. What follows is an inverse transform: a forward one of numbers whose real and imaginary
  /// parts are swapped. Its element 0 is the sum of all but x[0], and is where x[0] is added to all results.
  struct Product {
    const Value* filter;
    Value* zeroth;

    template <int R>
    [[gnu::always_inline]] void apply(Value (&v)[R], int transform, int base) const {
      const Value sum = v[0];
#pragma unroll
      for (int r = 0; r < R; ++r) {
        v[r] = swapped(v[r] * filter[base + r]);
      }
      if (base == 0) {
        const Value first = zeroth[transform];
        v[0] = v[0] + swapped(first);
        zeroth[transform] = first + sum;
      }
      butterfly<R>(v);
    }
  };
};

}  // namespace phpc::fft
