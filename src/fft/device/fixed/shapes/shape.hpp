#pragma once
#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <type_traits>

#include "phpc/core/types.hpp"

/// Shapes of the kernels that are compiled for one length. The tables *_shapes.hpp say which lengths GPUs have kernels for; every
/// other length goes by the general kernel (fft/device/general), or by PassKernel. A shape stays where it beats the general
/// kernel by a twentieth (bench/fft_lengths.cpp), or is a length that most users take.
namespace phpc::fft {

/// Returns how many powers of a twiddle are stored for a radix: those of 1, 4 and 16 that are below it. The others are products
/// of at most three of these. From the first power alone the error was over the tests' limit: 4.0e-16 in f64 at length 1024,
/// 5.0e-7 in f32 at 8192.
constexpr int stored_powers(int radix) {
  return radix > 16 ? 3 : radix > 4 ? 2 : 1;
}

/// The shape of a pass that is compiled for its length.
///   Threads       that work on one transform
///   Width         transforms of a team: rows, or columns side by side
///   TeamsPerUnit  teams of a multiprocessor that share all work between them; 0 = one team for each tile
///   R...          radices of the stages, in the order of decimation
template <int Threads, int Width, int TeamsPerUnit, int... R>
struct FixedShape {
  static constexpr int stages = sizeof...(R);
  static constexpr int radix[sizeof...(R)] = {R...};
  static constexpr int length = (R * ... * 1);
  static constexpr int threads = Threads;
  static constexpr int width = Width;
  static constexpr int teams_per_unit = TeamsPerUnit;

  /// The length of the sub-transforms that a stage splits.
  static constexpr int block(int stage) {
    int rest = length;
    for (int s = 0; s < stage; ++s) {
      rest /= radix[s];
    }
    return rest;
  }
  /// Where the twiddles of a stage begin: exp(-2 pi i p j / block) for j < block / radix, for each stored power p, for each
  /// stage.
  static constexpr int twiddle_offset(int stage) {
    int offset = 0;
    for (int s = 0; s < stage; ++s) {
      offset += stored_powers(radix[s]) * (block(s) / radix[s]);
    }
    return offset;
  }
};

/// Returns how many threads a team can have for which a multiprocessor has registers: its 65536 go to warps, in fours.
constexpr int most_threads_with(int registers) {
  return registers > 0 ? std::min(1024, 4 * (65536 / 4 / (32 * registers)) * 32) : 1024;
}

/// A shape whose kernel is compiled for at most Registers registers a thread, so that more teams share a multiprocessor than with
/// as many as the compiler takes.
template <int Registers, class Shape>
struct Capped : Shape {
  static constexpr int registers = Registers;
  static_assert(Shape::threads * Shape::width <= most_threads_with(Registers));
};
/// The cap of a shape; 0 = none.
template <class Shape>
constexpr int registers_of() {
  if constexpr (requires { Shape::registers; }) {
    return Shape::registers;
  } else {
    return 0;
  }
}

template <class... Shapes>
struct ShapeList {};

/// The caps that shapes of a list have: for each there is a source that is compiled so (CMakeLists.txt).
template <int... Registers>
struct CapList {};
template <int... Registers, class... Shapes>
constexpr bool has_all_caps(CapList<Registers...> /*caps*/, ShapeList<Shapes...> /*list*/) {
  bool has_all = true;
  for (const int cap : {registers_of<Shapes>()...}) {
    has_all = has_all && ((cap == Registers) || ...);
  }
  return has_all;
}

template <class... First, class... Second>
ShapeList<First..., Second...> joined(ShapeList<First...>, ShapeList<Second...>);

/// Whether a shape is one odd radix from 17 on: a prime, which FixedPrimeKernel does by the definition.
template <class Shape>
inline constexpr bool is_direct_prime = Shape::stages == 1 && Shape::length >= 17 && Shape::length % 2 == 1;

/// Returns an upper bound of the bytes of scratch of a team with this shape: see PaddingChoice.
template <class Real, class Shape>
constexpr std::size_t scratch_bytes_of() {
  if constexpr (requires { typename Shape::First; }) {
    return std::max(scratch_bytes_of<Real, typename Shape::First>(), scratch_bytes_of<Real, typename Shape::Second>());
  } else {
    // Two copies for a prime (FixedPrimeKernel).
    constexpr int pitch = is_direct_prime<Shape> ? 2 * Shape::length : Shape::length + Shape::length / 8 + 4;
    return static_cast<std::size_t>(pitch) * Shape::width * sizeof(Complex<Real>) + 16;
  }
}

/// Calls action(shape) for the first shape of the list that has this length and that Filter takes; false when none has.
template <template <class> class Filter, class Action, class... Shapes>
bool with_filtered_shape([[maybe_unused]] index_t length, ShapeList<Shapes...> /*list*/, [[maybe_unused]] Action action) {
  bool found = false;
  [[maybe_unused]] const auto take = [&]<class Shape>(Shape shape) {
    if constexpr (Filter<Shape>::value) {
      if (!found && Shape::length == length) {
        action(shape);
        found = true;
      }
    }
    return 0;
  };
  // In the order of the list; a fold expression would have at most 256 operands.
  [[maybe_unused]] const std::initializer_list<int> each{take(Shapes{})...};
  return found;
}

template <class Shape>
using AnyShape = std::true_type;
template <class Action, class... Shapes>
bool with_shape(index_t length, ShapeList<Shapes...> list, Action action) {
  return with_filtered_shape<AnyShape>(length, list, action);
}

/// The same among the shapes of one cap.
template <int Registers>
struct OfCap {
  template <class Shape>
  using Filter = std::bool_constant<registers_of<Shape>() == Registers>;
};
template <int Registers, class Action, class... Shapes>
bool with_capped_shape(index_t length, ShapeList<Shapes...> list, Action action) {
  return with_filtered_shape<OfCap<Registers>::template Filter>(length, list, action);
}

}  // namespace phpc::fft
