#pragma once
#include <utility>

#include "fft/butterflies.hpp"
#include "fft/fixed_shapes.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// How the elements of the transforms of a team lie in scratch.
enum class ScratchOrder {
  transforms,  ///< one transform after another, with gaps
  elements     ///< the same element of all transforms together
};

/// What the kernels of a FixedShape share: places in scratch, twiddles, and the stages that stay in scratch.
template <class Real, class Shape, ScratchOrder Order>
struct FixedStages {
  using Value = Complex<Real>;
  static constexpr int length = Shape::length;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Shape::threads * width;

  /// Strides of whole banks need gaps.
  static constexpr bool has_gaps = [] {
    for (int stage = 0; stage < Shape::stages; ++stage) {
      if (Shape::block(stage) / Shape::radix[stage] % 8 == 0 || Shape::radix[stage] % 8 == 0) {
        return true;
      }
    }
    return false;
  }();
  /// A gap after each 128 bytes and after each 16 of those keeps strides of powers of two off one memory bank.
  static constexpr int gap = 128 / static_cast<int>(sizeof(Value));
  [[gnu::always_inline]] static constexpr int padded(int e) { return !has_gaps ? e : e + e / gap + e / (gap * 16); }
  static constexpr int pitch = (padded(length - 1) + 1) | 1;
  /// The place of an element of a transform, and how many there are.
  [[gnu::always_inline]] static constexpr int place(int transform, int e) {
    return Order == ScratchOrder::elements ? e * width + transform : transform * pitch + padded(e);
  }
  static constexpr int places = Order == ScratchOrder::elements ? width * length : width * pitch;

  /// Butterflies of a stage in one transform.
  static constexpr int lanes(int radix) { return length / radix; }

  /// Butterflies of a thread that may be in flight together: more would not fit into its registers.
  static constexpr int together(int radix) { return radix <= 8 ? 16 / radix : 1; }

  /// v[r] *= w^r, for the twiddle w at table[j].
  template <int R>
  [[gnu::always_inline]] static void turn(Value (&v)[R], const Value* table, int stride, int j) {
    Value power[R];
    power[1] = table[j];
    if constexpr (R > 4) {
      power[4] = table[stride + j];
    }
    if constexpr (R > 16) {
      power[16] = table[2 * stride + j];
    }
#pragma unroll
    for (int r = 1; r < R; ++r) {
      if (r != 1 && r != 4 && r != 16) {
        const int high = r > 16 ? 16 : r > 4 ? 4 : 1;
        power[r] = power[high] * power[r - high];
      }
      v[r] = v[r] * power[r];
    }
  }

  /// In-place stages leave X[k] at the place whose digits are those of k in reverse.
  [[gnu::always_inline]] static constexpr int reversed(int u) {
    int at = 0;
#pragma unroll
    for (int stage = 0; stage + 1 < Shape::stages; ++stage) {
      at = at * Shape::radix[stage] + u % Shape::radix[stage];
      u /= Shape::radix[stage];
    }
    return at * Shape::radix[Shape::stages - 1];
  }

  /// Whether a stage turns the results of its butterflies (decimation in frequency) or their inputs: the stages of the first kind
  /// take a transform from natural to digit-reversed order, those of the second, last stage first, from that back to natural.
  enum class Turn { results, inputs };

  /// Stage `Stage` from scratch to scratch for the first `live` transforms; ends on a barrier.
  template <int Stage, Turn Which>
  [[gnu::always_inline]] static void team_stage(const exec::Team& team, const Value* twiddles, int live, Value* data) {
    constexpr int radix = Shape::radix[Stage];
    constexpr int block = Shape::block(Stage);
    constexpr int stride = block / radix;
    const Value* const stage_twiddles = twiddles + Shape::twiddle_offset(Stage);
#pragma unroll(together(radix))
    for (int i = team.rank(); i < width * lanes(radix); i += team.size()) {
      const int transform = Order == ScratchOrder::elements ? i % width : i / lanes(radix);
      const int item = Order == ScratchOrder::elements ? i / width : i % lanes(radix);
      const int j = item % stride;
      const int base = item / stride * block + j;
      if (transform < live) {
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          v[q] = data[place(transform, base + q * stride)];
        }
        if constexpr (Which == Turn::inputs) {
          turn<radix>(v, stage_twiddles, stride, j);
        }
        butterfly<radix>(v);
        if constexpr (Which == Turn::results) {
          turn<radix>(v, stage_twiddles, stride, j);
        }
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          data[place(transform, base + r * stride)] = v[r];
        }
      }
    }
    team.barrier();
  }

  /// All stages but the first and the last.
  [[gnu::always_inline]] static void team_middle_stages(const exec::Team& team, const Value* twiddles, int live, Value* data) {
    team_stages<Turn::results>(std::make_integer_sequence<int, Shape::stages - 2>{}, team, twiddles, live, data);
  }
  /// The same backwards, from digit-reversed to natural order.
  [[gnu::always_inline]] static void team_middle_stages_back(const exec::Team& team, const Value* twiddles, int live,
                                                             Value* data) {
    team_stages<Turn::inputs>(std::make_integer_sequence<int, Shape::stages - 2>{}, team, twiddles, live, data);
  }

 private:
  template <Turn Which, int... S>
  [[gnu::always_inline]] static void team_stages(std::integer_sequence<int, S...> /*stages*/,
                                                 [[maybe_unused]] const exec::Team& team, [[maybe_unused]] const Value* twiddles,
                                                 [[maybe_unused]] int live, [[maybe_unused]] Value* data) {
    (team_stage < Which == Turn::results ? S + 1 : Shape::stages - 2 - S, Which > (team, twiddles, live, data), ...);
  }
};

}  // namespace phpc::fft
