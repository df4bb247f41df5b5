#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include "fft/device/fixed/stages/stages.hpp"
#include "fft/device/fixed/stages/twiddles_between.hpp"
#include "fft/device/pass/pass.hpp"
#include "phpc/exec/team.hpp"

namespace phpc::fft {

/// What passes over columns need beside what rows do: see Pass.
template <class Real>
struct ColumnArguments {
  index_t from_outer;
  index_t from_middle;
  index_t to_outer;
  index_t to_middle;
  index_t middle_count;
  TwiddlesBetween<Real> twiddles;
};
struct NoColumns {};

/// A place in memory that goes on by a distance known only at run time, of which the compiler of GPU code does not know that it
/// is always the same: it would otherwise compute the distances of all R elements of a butterfly once for all tiles and hold them
/// in registers (181 for a column of 256, which needs 64). The address is an integer there, since clang 19 took a pointer that
/// came out of assembly for the one before it.
template <class Value>
class Walker {
 public:
  [[gnu::always_inline]] Walker(Value* start, index_t distance) : distance_(distance) {
#if defined(__NVPTX__)
    address_ = reinterpret_cast<std::uint64_t>(start);
#else
    address_ = start;
#endif
  }

  /// Returns the place and goes on to the next.
  [[gnu::always_inline]] Value* next() {
#if defined(__NVPTX__)
    const std::uint64_t here = address_;
    asm volatile("add.s64 %0, %1, %2;" : "=l"(address_) : "l"(here), "l"(distance_ * static_cast<index_t>(sizeof(Value))));
    return (Value*)(reinterpret_cast<__attribute__((address_space(1))) void*>(here));
#else
    Value* const here = address_;
    address_ += distance_;
    return here;
#endif
  }

 private:
#if defined(__NVPTX__)
  std::uint64_t address_;
#else
  Value* address_;
#endif
  index_t distance_;
};

/// A pass whose length, radices and team are compiled in: decimation in frequency, in place in scratch, as PassKernel does it,
/// with every division of an index by a constant. GPUs only (launch_on_gpu) but for tests.
template <class Real, class Shape, Along Load, Along Store>
struct FixedPassKernel {
  using Value = Complex<Real>;
  static constexpr bool has_columns = Load == Along::inner || Store == Along::inner;
  using Stages = FixedStages<Real, Shape, Load == Along::inner ? ScratchOrder::elements : ScratchOrder::transforms>;
  static constexpr int width = Shape::width;
  static constexpr int team_size = Stages::team_size;
  using RegistersAreCapped = void;  ///< for launch_on_gpu, of teams of more than 256 threads: see row_shapes.hpp

  struct Scratch {
    alignas(16) Value data[Stages::places];
  };

  const Value* in;
  Value* out;
  const Value* twiddles;  ///< as Shape::twiddle_offset says
  index_t inner_count;
  index_t from_step;  ///< between elements where threads go along the inner index, else between inner indices
  index_t to_step;
  Real scale;
  bool swap_load;
  bool swap_store;
  [[no_unique_address]] std::conditional_t<has_columns, ColumnArguments<Real>, NoColumns> columns;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& scratch) const {
    index_t tile = team.league_rank();
    const Value* from = in;
    Value* to = out;
    if constexpr (has_columns) {
      const index_t tiles = ceil_div(inner_count, width);
      const index_t row = quotient(tile, tiles);
      const index_t outer = quotient(row, columns.middle_count);
      const index_t middle = row - outer * columns.middle_count;
      tile -= row * tiles;
      from += outer * columns.from_outer + middle * columns.from_middle;
      to += outer * columns.to_outer + middle * columns.to_middle;
    }
    const index_t first = tile * width;
    from += first * (Load == Along::inner ? 1 : from_step);
    to += first * (Store == Along::inner ? 1 : to_step);
    const int live = inner_count - first < width ? static_cast<int>(inner_count - first) : width;
    if constexpr (Shape::stages == 1) {
      team_only_stage(team, from, to, live, scratch.data);
    } else {
      team_first_stage(team, from, live, scratch.data);
      team.barrier();
      Stages::team_middle_stages(team, twiddles, live, scratch.data);
      team_last_stage(team, to, live, first, scratch.data);
    }
  }

 private:
  /// Returns a / b; a division of 64 bits takes a GPU about a hundred instructions, one of 32 a fifth of that.
  [[gnu::always_inline]] static index_t quotient(index_t a, index_t b) {
    if (((a | b) >> 32) == 0) {
      return static_cast<std::uint32_t>(a) / static_cast<std::uint32_t>(b);
    }
    return a / b;
  }

  /// Loads element first + q * stride of a transform into v[q].
  template <int R>
  [[gnu::always_inline]] void thread_load(Value (&v)[R], const Value* from, int transform, int element, int stride) const {
    if constexpr (Load == Along::inner) {
      Walker at(from + (element * from_step + transform), stride * from_step);
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = *at.next();
      }
    } else {
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = from[transform * from_step + element + q * stride];
      }
    }
    if (swap_load) {
#pragma unroll
      for (int q = 0; q < R; ++q) {
        v[q] = {v[q].im, v[q].re};
      }
    }
  }

  /// Stores v[r] to element first + r * stride of a transform.
  template <int R>
  [[gnu::always_inline]] void thread_store(Value (&v)[R], Value* to, int transform, int element, int stride) const {
#pragma unroll
    for (int r = 0; r < R; ++r) {
      const Value value = scaled(v[r], scale);
      v[r] = swap_store ? Value{value.im, value.re} : value;
    }
    if constexpr (Store == Along::inner) {
      Walker at(to + (element * to_step + transform), stride * to_step);
#pragma unroll
      for (int r = 0; r < R; ++r) {
        *at.next() = v[r];
      }
    } else {
#pragma unroll
      for (int r = 0; r < R; ++r) {
        to[transform * to_step + element + r * stride] = v[r];
      }
    }
  }

  [[gnu::always_inline]] void team_first_stage(const exec::Team& team, const Value* from, int live, Value* data) const {
    constexpr int radix = Shape::radix[0];
    constexpr int stride = Stages::butterflies(radix);
#pragma unroll(Stages::together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = Load == Along::inner ? i % width : i / stride;
      const int j = Load == Along::inner ? i / width : i % stride;
      if (transform < live) {
        Value v[radix];
        thread_load(v, from, transform, j, stride);
        prime_factor_butterfly<radix>(v);
        Stages::template apply_twiddles<radix>(v, twiddles, stride, j);
#pragma unroll
        for (int r = 0; r < radix; ++r) {
          data[Stages::template place<radix, stride>(transform, j, r)] = v[r];
        }
      }
    }
  }

  [[gnu::always_inline]] void team_last_stage(const exec::Team& team, Value* to, int live, index_t first,
                                              const Value* data) const {
    constexpr int radix = Shape::radix[Shape::stages - 1];
    constexpr int stride = Stages::butterflies(radix);
#pragma unroll(Stages::together(radix))
    for (int i = team.rank(); i < width * stride; i += team.size()) {
      const int transform = Store == Along::inner ? i % width : i / stride;
      const int u = Store == Along::inner ? i / width : i % stride;
      if (transform < live) {
        const int base = digit_reversed_place<Shape>(u);
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          v[q] = data[Stages::template place<radix, 1>(transform, base, q)];
        }
        prime_factor_butterfly<radix>(v);
        if constexpr (Load == Along::inner && Store == Along::inner) {
          if (columns.twiddles.fine != nullptr) {
            const index_t column = first + transform;
            columns.twiddles.thread_apply(v, column * u, column * stride);
          }
        }
        thread_store(v, to, transform, u, stride);
      }
    }
  }

  /// A transform of one stage goes through scratch on both sides, so that memory is read and written in order.
  [[gnu::always_inline]] void team_only_stage(const exec::Team& team, const Value* from, Value* to, int live, Value* data) const {
    constexpr int radix = Shape::radix[0];
#pragma unroll
    for (int i = team.rank(); i < width * radix; i += team.size()) {
      if (i < live * radix) {
        Value one[1];
        thread_load(one, from, i / radix, i % radix, 1);
        data[Stages::place(i / radix, i % radix)] = one[0];
      }
    }
    team.barrier();
#pragma unroll
    for (int i = team.rank(); i < width; i += team.size()) {
      if (i < live) {
        Value v[radix];
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          v[q] = data[Stages::place(i, q)];
        }
        prime_factor_butterfly<radix>(v);
#pragma unroll
        for (int q = 0; q < radix; ++q) {
          data[Stages::place(i, q)] = v[q];
        }
      }
    }
    team.barrier();
#pragma unroll
    for (int i = team.rank(); i < width * radix; i += team.size()) {
      if (i < live * radix) {
        Value one[1] = {data[Stages::place(i / radix, i % radix)]};
        thread_store(one, to, i / radix, i % radix, 1);
      }
    }
  }
};

}  // namespace phpc::fft
