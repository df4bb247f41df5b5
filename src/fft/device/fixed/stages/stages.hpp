#pragma once
#include <utility>

#include "fft/device/fixed/stages/conjugate_pairs.hpp"
#include "fft/device/fixed/stages/scratch_padding.hpp"
#include "fft/math/prime_factor_butterflies.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// Which index neighbouring threads of a team differ in where a stage reads or writes memory, so that they access neighbouring
/// places: the element of a transform, or the inner index, of transforms that lie side by side.
enum class Along { element, inner };

/// The stages of the kernels of a FixedShape, with places in scratch and twiddles.
template <class Real, class Shape, ScratchOrder Order>
struct FixedStages {
  using Value = Complex<Real>;
  static constexpr int length = Shape::length;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Shape::threads * width;

  using Choice = PaddingChoice<Shape, 128 / static_cast<int>(sizeof(Value)), Order>;
  static constexpr ScratchPadding padding = Choice::best();
  static constexpr int first_padding = padding.first;
  static constexpr int second_padding = padding.second;
  static constexpr int pitch = Choice::pitch(padding);
  /// The place of element e of a transform in scratch.
  [[gnu::always_inline]] static constexpr int place(int transform, int e) {
    const int padded = e + padding_before<1, 0, first_padding>(e, 0) + padding_before<1, 0, second_padding>(e, 0);
    return Order == ScratchOrder::elements ? padded * width + transform : transform * pitch + padded;
  }
  /// The place of element e + q * Stride, e being the first element of a butterfly of this radix.
  template <int Radix, int Stride>
  [[gnu::always_inline]] static constexpr int place(int transform, int e, int q) {
    const int padded =
        e + q * Stride + padding_before<Radix, Stride, first_padding>(e, q) + padding_before<Radix, Stride, second_padding>(e, q);
    return Order == ScratchOrder::elements ? padded * width + transform : transform * pitch + padded;
  }
  static constexpr int places = width * pitch;

  /// How many butterflies of this radix a stage has in one transform.
  static constexpr int butterflies(int radix) { return length / radix; }

  /// How many butterflies of a thread are unrolled together: more would not fit into its registers.
  static constexpr int together(int radix) { return radix <= 8 ? 16 / radix : 1; }

  /// v[r] *= w^r, for the twiddle w at table[j]. Powers are made four at a time, so that few are held.
  template <int R>
  [[gnu::always_inline]] static void apply_twiddles(Value (&v)[R], const Value* table, int stride, int j) {
    Value low[4];
    low[1] = table[j];
    low[2] = low[1] * low[1];
    low[3] = low[1] * low[2];
#pragma unroll
    for (int r = 1; r < (R < 4 ? R : 4); ++r) {
      v[r] = v[r] * low[r];
    }
    if constexpr (R > 4) {
      const Value fourth = table[stride + j];
      Value high = fourth;
#pragma unroll
      for (int first = 4; first < R; first += 4) {
        if (first == 16) {
          high = table[2 * stride + j];
        } else if (first > 4) {
          high = high * fourth;
        }
        v[first] = v[first] * high;
#pragma unroll
        for (int r = first + 1; r < (first + 4 < R ? first + 4 : R); ++r) {
          v[r] = v[r] * (high * low[r - first]);
        }
      }
    }
  }

  /// Whether a stage multiplies the results of its butterflies by twiddles (decimation in frequency) or their inputs (decimation
  /// in time). The stages of the first kind take a transform from natural to digit-reversed order, those of the second, last
  /// stage first, from that back to natural.
  enum class TwiddleSide { results, inputs };

  /// The first stage, from memory to scratch, for the first `live` transforms: source.load(v, transform, element, stride) sets
  /// v[q] to element + q * stride of a transform. No barrier.
  template <Along Load, class Source>
  [[gnu::always_inline]] static void team_load_stage(const exec::Team& team, const Source& source, const Value* twiddles,
                                                     int live, Value* data) {
    constexpr int radix = Shape::radix[0];
    constexpr int stride = butterflies(radix);
#pragma unroll(together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = Load == Along::inner ? i % width : i / stride;
      const int j = Load == Along::inner ? i / width : i % stride;
      if (transform < live) {
        Value v[radix];
        source.load(v, transform, j, stride);
        prime_factor_butterfly<radix>(v);
        apply_twiddles<radix>(v, twiddles, stride, j);
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          data[place<radix, stride>(transform, j, r)] = v[r];
        }
      }
    }
  }

  /// The last stage, from scratch to memory: sink.store(v, transform, element, stride) takes elements element + r * stride of a
  /// transform, in natural order, from v[r]. No barrier.
  template <Along Store, class Sink>
  [[gnu::always_inline]] static void team_store_stage(const exec::Team& team, const Sink& sink, int live, const Value* data) {
    constexpr int radix = Shape::radix[Shape::stages - 1];
    constexpr int stride = butterflies(radix);
#pragma unroll(together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = Store == Along::inner ? i % width : i / stride;
      const int u = Store == Along::inner ? i / width : i % stride;
      if (transform < live) {
        const int base = digit_reversed_place<Shape>(u);
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          v[q] = data[place<radix, 1>(transform, base, q)];
        }
        prime_factor_butterfly<radix>(v);
        sink.store(v, transform, u, stride);
      }
    }
  }

  /// team_load_stage of ConjugateLines or WholeLines: source.load(low, high, butterflies, stride) sets the elements of both
  /// butterflies. No barrier.
  template <class Lines, class Source>
  [[gnu::always_inline]] static void team_load_conjugate_pairs(const exec::Team& team, const Lines& lines, const Source& source,
                                                               const Value* twiddles, Value* data) {
    constexpr int radix = Shape::radix[0];
    constexpr int stride = butterflies(radix);
#pragma unroll(together(2 * radix))
    for (int i = team.rank(); i < Lines::template pairs<stride>; i += team.size()) {
      const ConjugateButterflies at = lines.template butterflies<stride>(i);
      Value low[radix];
      Value high[radix];
      source.load(low, high, at, stride);
      prime_factor_butterfly<radix>(low);
      apply_twiddles<radix>(low, twiddles, stride, at.low);
#pragma unroll
      for (int r = 0; r < radix; ++r) {
        data[place<radix, stride>(at.low_line, at.low, r)] = low[r];
      }
      prime_factor_butterfly<radix>(high);
      apply_twiddles<radix>(high, twiddles, stride, at.high);
#pragma unroll
      for (int r = 0; r < radix; ++r) {
        data[place<radix, stride>(at.high_line, at.high, r)] = high[r];
      }
    }
  }

  /// team_store_stage of ConjugateLines or WholeLines: sink.store(low, high, butterflies, stride) takes the elements of both
  /// butterflies. No barrier.
  template <class Lines, class Sink>
  [[gnu::always_inline]] static void team_store_conjugate_pairs(const exec::Team& team, const Lines& lines, const Sink& sink,
                                                                const Value* data) {
    constexpr int radix = Shape::radix[Shape::stages - 1];
    constexpr int stride = butterflies(radix);
#pragma unroll(together(2 * radix))
    for (int i = team.rank(); i < Lines::template pairs<stride>; i += team.size()) {
      const ConjugateButterflies at = lines.template butterflies<stride>(i);
      const int low_base = digit_reversed_place<Shape>(at.low);
      const int high_base = digit_reversed_place<Shape>(at.high);
      Value low[radix];
      Value high[radix];
#pragma unroll
      for (int q = 0; q < radix; ++q) {
        low[q] = data[place<radix, 1>(at.low_line, low_base, q)];
        high[q] = data[place<radix, 1>(at.high_line, high_base, q)];
      }
      prime_factor_butterfly<radix>(low);
      prime_factor_butterfly<radix>(high);
      sink.store(low, high, at, stride);
    }
  }

  /// The last stage in scratch, with action.apply(v, transform, element, stride) on its results: v[r] is element `element + r *
  /// stride` of the spectrum, and neighbouring threads have neighbouring elements. Ends on a barrier.
  template <class Action>
  [[gnu::always_inline]] static void team_last_stage(const exec::Team& team, const Action& action, int live, Value* data) {
    constexpr int radix = Shape::radix[Shape::stages - 1];
    constexpr int stride = butterflies(radix);
#pragma unroll(together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = i / stride;
      const int base = digit_reversed_place<Shape>(i % stride);  // the order that the padding is chosen for
      if (transform < live) {
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          v[q] = data[place<radix, 1>(transform, base, q)];
        }
        prime_factor_butterfly<radix>(v);
        action.apply(v, transform, i % stride, stride);
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          data[place<radix, 1>(transform, base, q)] = v[q];
        }
      }
    }
    team.barrier();
  }

  /// The first stage back, from scratch to memory, as team_store_stage. No barrier.
  template <class Sink>
  [[gnu::always_inline]] static void team_store_stage_back(const exec::Team& team, const Sink& sink, const Value* twiddles,
                                                           int live, const Value* data) {
    constexpr int radix = Shape::radix[0];
    constexpr int stride = butterflies(radix);
#pragma unroll(together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = i / stride;
      const int j = i % stride;
      if (transform < live) {
        Value v[radix];
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          v[r] = data[place<radix, stride>(transform, j, r)];
        }
        apply_twiddles<radix>(v, twiddles, stride, j);
        prime_factor_butterfly<radix>(v);
        sink.store(v, transform, j, stride);
      }
    }
  }

  /// Stage `Stage` from scratch to scratch for the first `live` transforms; ends on a barrier.
  template <int Stage, TwiddleSide Which>
  [[gnu::always_inline]] static void team_stage(const exec::Team& team, const Value* twiddles, int live, Value* data) {
    constexpr int radix = Shape::radix[Stage];
    constexpr int block = Shape::block(Stage);
    constexpr int stride = block / radix;
    const Value* const stage_twiddles = twiddles + Shape::twiddle_offset(Stage);
#pragma unroll(together(radix))
    for (int i = team.rank(); i < width * butterflies(radix); i += team.size()) {
      const int transform = Order == ScratchOrder::elements ? i % width : i / butterflies(radix);
      const int item = Order == ScratchOrder::elements ? i / width : i % butterflies(radix);
      const int j = item % stride;
      const int base = item / stride * block + j;
      if (transform < live) {
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          v[q] = data[place<radix, stride>(transform, base, q)];
        }
        if constexpr (Which == TwiddleSide::inputs) {
          apply_twiddles<radix>(v, stage_twiddles, stride, j);
        }
        prime_factor_butterfly<radix>(v);
        if constexpr (Which == TwiddleSide::results) {
          apply_twiddles<radix>(v, stage_twiddles, stride, j);
        }
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          data[place<radix, stride>(transform, base, r)] = v[r];
        }
      }
    }
    team.barrier();
  }

  /// All stages but the first and the last.
  [[gnu::always_inline]] static void team_middle_stages(const exec::Team& team, const Value* twiddles, int live, Value* data) {
    team_stages<TwiddleSide::results>(std::make_integer_sequence<int, Shape::stages - 2>{}, team, twiddles, live, data);
  }
  /// The same backwards, from digit-reversed to natural order.
  [[gnu::always_inline]] static void team_middle_stages_back(const exec::Team& team, const Value* twiddles, int live,
                                                             Value* data) {
    team_stages<TwiddleSide::inputs>(std::make_integer_sequence<int, Shape::stages - 2>{}, team, twiddles, live, data);
  }

 private:
  /// Places of padding before element e + q * Stride, one after each Period elements. Where all elements of a butterfly, or none,
  /// have the same ones, that is said, so that their places differ by constants.
  template <int Radix, int Stride, int Period>
  [[gnu::always_inline]] static constexpr int padding_before(int e, int q) {
    if constexpr (Period == 0) {
      return 0;
    } else if constexpr (Stride > 0 && Stride % Period == 0) {
      return e / Period + q * (Stride / Period);
    } else if constexpr (Stride > 0 && Period % (Radix * Stride) == 0) {
      return e / Period;
    } else {
      return (e + q * Stride) / Period;
    }
  }

  template <TwiddleSide Which, int... S>
  [[gnu::always_inline]] static void team_stages(std::integer_sequence<int, S...> /*stages*/,
                                                 [[maybe_unused]] const exec::Team& team, [[maybe_unused]] const Value* twiddles,
                                                 [[maybe_unused]] int live, [[maybe_unused]] Value* data) {
    (team_stage < Which == TwiddleSide::results ? S + 1 : Shape::stages - 2 - S, Which > (team, twiddles, live, data), ...);
  }
};

}  // namespace phpc::fft
