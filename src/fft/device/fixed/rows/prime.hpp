#pragma once
#include "fft/device/fixed/shapes/shape.hpp"
#include "fft/device/fixed/stages/tile.hpp"
#include "fft/math/butterflies.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// The powers of the smallest primitive root of an odd prime P, modulo P.
template <int P>
struct PrimitivePowers {
  int power[P - 1];

  constexpr PrimitivePowers() : power{} {
    int root = 1;
    int order = 0;
    while (order != P - 1) {
      ++root;
      order = 1;
      for (int value = root; value != 1; value = value * root % P) {
        ++order;
      }
    }
    int value = 1;
    for (int& slot : power) {
      slot = value;
      value = value * root % P;
    }
  }
};

/// Transforms of a prime length by the definition, Shape::threads threads a transform: each makes some of the pairs X[k], X[P -
/// k], in one sweep over the sums and differences of x[q] and x[P - q].
///
/// So that all threads multiply by the same constants of the code, thread t reads its transform in another order: x[q b], with b
/// = 1 / g^(t pairs) modulo P for a primitive root g, transforms to X[k g^(t pairs)], and k = g^0, g^1, ... then gives each
/// thread pairs of its own (Rader's permutation). GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape>
struct FixedPrimeKernel {
  using Value = Complex<Real>;
  static constexpr int prime = Shape::length;
  static constexpr int half = (prime - 1) / 2;
  static constexpr int threads = Shape::threads;
  static constexpr int width = Shape::width;
  static constexpr int team_size = threads * width;
  static constexpr int pairs = (half + threads - 1) / threads;  ///< X[k], X[P - k] that a thread makes
  using Tile = FixedTile<Real, prime, width, team_size, 16>;
  static_assert(Shape::stages == 1 && prime % 2 == 1);

  struct Scratch {
    alignas(16) Value from[Tile::elements];
    alignas(16) Value to[Tile::elements];
  };

  const Value* in;
  Value* out;
  index_t count;      ///< transforms
  index_t from_step;  ///< between transforms
  index_t to_step;
  Real scale;
  bool swap_load;
  bool swap_store;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    const index_t first = team.league_rank() * width;
    const int live = count - first < width ? static_cast<int>(count - first) : width;
    Tile::team_load(team, in + first * from_step, from_step, live, Sink{scratch.from, swap_load});
    team.barrier();
    for (int i = team.rank(); i < team_size; i += team.size()) {
      const int transform = i % width;
      if (transform < live) {
        thread_pairs(i / width, scratch.from + transform * prime, scratch.to + transform * prime);
      }
    }
    team.barrier();
    Tile::team_store(team, out + first * to_step, to_step, live, Source{scratch.to, scale, swap_store});
  }

 private:
  [[gnu::always_inline]] static int wrapped(int q) { return q >= prime ? q - prime : q; }

  /// Makes the pairs of thread `t` of a transform; no barrier.
  [[gnu::always_inline]] void thread_pairs(int t, const Value* from, Value* to) const {
    constexpr PrimitivePowers<prime> g;
    int hop = 1;    // g^(-t pairs)
    int power = 1;  // g^(t pairs)
    for (int s = 0; s < t; ++s) {
      hop = hop * g.power[prime - 1 - pairs] % prime;
      power = power * g.power[pairs] % prime;
    }
    const Value zeroth = from[0];
    Value total = zeroth;
    Value even[pairs];
    Value odd[pairs];
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      even[i] = zeroth;
      odd[i] = {0, 0};
    }
    int place = 0;
#pragma unroll
    for (int q = 1; q <= half; ++q) {
      place = wrapped(place + hop);
      const Value a = from[place];
      const Value b = from[prime - place];
      const Value sum = a + b;
      const Value difference = a - b;
      total = total + sum;
#pragma unroll
      for (int i = 0; i < pairs; ++i) {
        even[i] = even[i] + scaled(sum, static_cast<Real>(detail::cosine<prime>(g.power[i] * q % prime)));
        odd[i] = odd[i] + scaled(difference, static_cast<Real>(detail::sine<prime>(g.power[i] * q % prime)));
      }
    }
    if (t == 0) {
      to[0] = total;
    }
#pragma unroll
    for (int i = 0; i < pairs; ++i) {
      const int k = power * g.power[i] % prime;
      const Value back = detail::times_minus_i(odd[i]);
      // The last thread may have fewer.
      if (half % pairs == 0 || t * pairs + i < half) {
        to[k] = even[i] + back;
        to[prime - k] = even[i] - back;
      }
    }
  }

  struct Sink {
    Value* data;
    bool swap;
    [[gnu::always_inline]] void put(int i, Value value) const { data[i] = swap ? Value{value.im, value.re} : value; }
  };

  struct Source {
    const Value* data;
    Real scale;
    bool swap;
    [[gnu::always_inline]] Value get(int i) const {
      const Value value = scaled(data[i], scale);
      return swap ? Value{value.im, value.re} : value;
    }
  };
};

}  // namespace phpc::fft
