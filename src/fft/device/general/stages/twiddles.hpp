#pragma once
#include "fft/device/general/stages/memory.hpp"
#include "fft/device/general/stages/stage.hpp"
#include "fft/math/butterflies.hpp"

/// Twiddles between the stages of the general kernel.
namespace phpc::fft {

/// The powers 1 and 4 of a butterfly's twiddle, which are read before its elements, so that both are on their way at once.
template <class Real>
struct StageTwiddles {
  Complex<Real> first;
  Complex<Real> fourth;
};

template <int R, class Real>
[[gnu::always_inline]] inline StageTwiddles<Real> stage_twiddles_of(const GeneralStage& stage, const GeneralItem& item,
                                                                    const Complex<Real>* twiddles) {
  StageTwiddles<Real> stage_twiddles{};
  if (stage.stride() > 0) {
    const Complex<Real>* const powers = twiddles + (stage.twiddles() + item.twiddle);
    stage_twiddles.first = table_entry(powers);
    if constexpr (R > 4) {
      stage_twiddles.fourth = table_entry(powers + stage.stride());
    }
  }
  return stage_twiddles;
}

/// Multiplies v[r] by w^r. Powers 1, 4 and 16 are read; the others are products, made four at a time so that few are held.
template <int R, class Real>
[[gnu::always_inline]] inline void thread_apply_twiddles(Complex<Real> (&v)[R], const StageTwiddles<Real>& stage_twiddles,
                                                         const Complex<Real>* sixteenth) {
  using Value = Complex<Real>;
  Value low[4];
  low[1] = stage_twiddles.first;
  low[2] = low[1] * low[1];
  low[3] = low[1] * low[2];
#pragma GCC unroll 4
  for (int r = 1; r < (R < 4 ? R : 4); ++r) {
    v[r] = v[r] * low[r];
  }
  if constexpr (R > 4) {
    Value high = stage_twiddles.fourth;
#pragma GCC unroll 8
    for (int first = 4; first < R; first += 4) {
      if (first == 16) {
        high = table_entry(sixteenth);
      } else if (first > 4) {
        high = high * stage_twiddles.fourth;
      }
      v[first] = v[first] * high;
#pragma GCC unroll 4
      for (int r = first + 1; r < (first + 4 < R ? first + 4 : R); ++r) {
        v[r] = v[r] * (high * low[r - first]);
      }
    }
  }
}

/// The butterfly of a large prime: two results at a time go to scratch with their twiddles, whose power 16 is at `sixteenth`.
template <int R, class Real>
[[gnu::always_inline]] inline void store_prime(Complex<Real> (&v)[R], const GeneralStage& stage,
                                               const StageTwiddles<Real>& stage_twiddles, const Complex<Real>* twiddles,
                                               unsigned sixteenth, const ScratchElements<Real>& elements) {
  using Value = Complex<Real>;
  constexpr int half = (R - 1) / 2;
  const bool has_twiddles = stage.stride() > 0;
  Value low[4];
  low[0] = {1, 0};
  low[1] = has_twiddles ? stage_twiddles.first : low[0];
  low[2] = low[1] * low[1];
  low[3] = low[1] * low[2];
  const Value fourth = has_twiddles ? stage_twiddles.fourth : low[0];
  const Value sixteen = has_twiddles ? table_entry(twiddles + sixteenth) : low[0];
  const Value rest = R % 16 >= 8 ? fourth * fourth : low[0];                               // of R - 16 = 8 a + 4 b + c
  const Value whole = sixteen * (rest * (R % 8 >= 4 ? fourth * low[R % 4] : low[R % 4]));  // w^R
  const Value first = v[0];
  Value all = first;
  Value sums[half];
  Value differences[half];
#pragma GCC unroll 32
  for (int q = 1; q <= half; ++q) {
    sums[q - 1] = v[q] + v[R - q];
    differences[q - 1] = v[q] - v[R - q];
    all = all + sums[q - 1];
  }
  elements.set(0, all);
  Value high = low[0];
#pragma GCC unroll 32
  for (int k = 1; k <= half; ++k) {
    if (k % 4 == 0) {
      high = high * fourth;
    }
    const Value power = k < 4 ? low[k] : high * low[k % 4];
    const detail::OppositeElements<Value> pair = detail::odd_elements<R>(k, first, sums, differences);
    elements.set(k, pair.at * power);
    elements.set(R - k, pair.opposite * (whole * conj(power)));
  }
}

}  // namespace phpc::fft
