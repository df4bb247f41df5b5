#pragma once
#include <initializer_list>

#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// Padding of scratch: unused places, which keep neighbouring threads off one memory bank: one after each `first` elements and
/// one more after each `second`; 0 = none.
struct ScratchPadding {
  int first;
  int second;

  [[nodiscard]] constexpr int padded(int e) const { return e + (first > 0 ? e / first : 0) + (second > 0 ? e / second : 0); }
};

/// How the elements of the transforms of a team lie in scratch.
enum class ScratchOrder {
  transforms,  ///< one transform after another, with padding
  elements     ///< the same element of all transforms together
};

/// The digit-reversed place of u. In-place stages leave X[k] at the place whose digits, in the mixed radices of the stages, are
/// those of k in reverse; u is k without its last digit, and that digit 0.
template <class Shape>
[[gnu::always_inline]] constexpr int digit_reversed_place(int u) {
  int at = 0;
#pragma unroll
  for (int stage = 0; stage + 1 < Shape::stages; ++stage) {
    at = at * Shape::radix[stage] + u % Shape::radix[stage];
    u /= Shape::radix[stage];
  }
  return at * Shape::radix[Shape::stages - 1];
}

/// Chooses the padding of a shape, by a count of the bank conflicts of its stages. `Banks` elements go through memory in one step
/// if no two are a multiple of that apart (128 bytes on NVIDIA GPUs). A compiler evaluates this slowly, for the host and for each
/// GPU: so what does not depend on the padding is computed once (40 kernels of rows for sm_90 took 24 s of processor time to
/// compile before, and take 14).
template <class Shape, int Banks, ScratchOrder Order>
struct PaddingChoice {
  static constexpr int pitch(ScratchPadding padding) { return (padding.padded(Shape::length - 1) + 1) | 1; }

  static constexpr ScratchPadding best() {
    constexpr int outer = Shape::length / Shape::radix[0];
    constexpr int inner = Shape::stages > 1 ? outer / Shape::radix[1 % Shape::stages] : outer;
    constexpr ScratchPadding choices[] = {{0, 0},         {Banks, 0},    {outer, 0}, {inner, 0}, {Banks, 16 * Banks},
                                          {outer, inner}, {Banks, outer}};
    Accesses accesses[Shape::stages] = {};
    for (int stage = 0; stage < Shape::stages; ++stage) {
      accesses[stage] = accesses_of(stage);
    }
    ScratchPadding best = choices[0];
    int least = cost(best, accesses);
    for (const ScratchPadding padding : choices) {
      // More than an eighth of scratch would cost teams.
      if (padding.first == 0 || 8 * pitch(padding) > 9 * Shape::length + 16) {
        continue;
      }
      const int here = cost(padding, accesses);
      if (here < least) {
        best = padding;
        least = here;
      }
    }
    return best;
  }

 private:
  /// What the threads of the first warp of a team access in a stage: element[i] + q * stride of transform[i], each.
  struct Accesses {
    int threads;
    int stride;
    int element[32];
    int transform[32];
  };

  static constexpr Accesses accesses_of(int stage) {
    const int radix = Shape::radix[stage];
    const int butterflies = Shape::length / radix;
    const int block = Shape::block(stage);
    const bool is_last = stage + 1 == Shape::stages;
    const int within = block / radix;
    Accesses accesses{};
    accesses.threads = butterflies * Shape::width < 32 ? butterflies * Shape::width : 32;
    accesses.stride = is_last ? 1 : within;
    for (int i = 0; i < accesses.threads; ++i) {
      const int item = Order == ScratchOrder::elements ? i / Shape::width : i % butterflies;
      accesses.transform[i] = Order == ScratchOrder::elements ? i % Shape::width : i / butterflies;
      accesses.element[i] = is_last ? digit_reversed_place<Shape>(item) : item / within * block + item % within;
    }
    return accesses;
  }

  /// Steps in which the warp does one access of a stage, the q-th of a butterfly.
  static constexpr int steps(ScratchPadding padding, const Accesses& accesses, int q) {
    const int scale = Order == ScratchOrder::elements ? Shape::width : 1;
    const int transform_pitch = Order == ScratchOrder::elements ? 1 : pitch(padding);
    const int offset = q * accesses.stride;
    int total = 0;
    for (int begin = 0; begin < accesses.threads; begin += Banks) {
      int busy[Banks] = {};
      int most = 0;
      const int end = accesses.threads < begin + Banks ? accesses.threads : begin + Banks;
      for (int i = begin; i < end; ++i) {
        const int e = accesses.element[i] + offset;
        int padded = e;
        if (padding.first > 0) {
          padded += e / padding.first;
        }
        if (padding.second > 0) {
          padded += e / padding.second;
        }
        const int count = ++busy[(padded * scale + accesses.transform[i] * transform_pitch) % Banks];
        if (count > most) {
          most = count;
        }
      }
      total += most;
    }
    return total;
  }

  /// The same for all accesses of all stages, by a sample of each butterfly.
  static constexpr int cost(ScratchPadding padding, const Accesses (&accesses)[Shape::stages]) {
    int total = 0;
    for (int stage = 0; stage < Shape::stages; ++stage) {
      const int weight = stage == 0 || stage + 1 == Shape::stages ? 1 : 2;  // reads and writes
      for (const int q : {0, 1, Shape::radix[stage] / 2, Shape::radix[stage] - 1}) {
        total += weight * steps(padding, accesses[stage], q);
      }
    }
    return total;
  }
};

}  // namespace phpc::fft
