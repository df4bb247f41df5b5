#pragma once
#include <algorithm>
#include <cstddef>

#include "phpc/core/types.hpp"

/// The lengths that GPUs have kernels of their own for, with their shapes: the one table, with relay_shapes.hpp. Every other
/// takes the general kernel (pass_kernel.hpp). Shapes were chosen on an H200, 1 GiB in and 1 GiB out; the bench is bench/fft.cpp.
namespace phpc::fft {

/// Powers 1, 4, 16 of a twiddle, those below the radix, are stored; the others are products of at most three of them each. From
/// the first alone the error was over the tests' limit: 4.0e-16 in f64 at length 1024, 5.0e-7 in f32 at 8192.
constexpr int stored_powers(int radix) {
  return radix > 16 ? 3 : radix > 4 ? 2 : 1;
}

/// Shape of a pass that is compiled for its length.
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

  /// Elements of the sub-transforms that a stage splits.
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

template <class... Shapes>
struct ShapeList {};

template <class... First, class... Second>
ShapeList<First..., Second...> joined(ShapeList<First...>, ShapeList<Second...>);

/// Odd radices from 17 on stand alone: they are primes, done by FixedPrimeKernel.
template <class Shape>
inline constexpr bool is_direct_prime = Shape::stages == 1 && Shape::length >= 17 && Shape::length % 2 == 1;

/// What a team with this shape needs of scratch at most: see GapChoice.
template <class Real, class Shape>
constexpr std::size_t scratch_bytes_of() {
  if constexpr (requires { typename Shape::First; }) {
    return std::max(scratch_bytes_of<Real, typename Shape::First>(), scratch_bytes_of<Real, typename Shape::Second>());
  } else {
    // Two copies for a prime (FixedPrimeKernel), one place more for Rader's transform.
    constexpr int pitch = is_direct_prime<Shape> ? 2 * Shape::length : Shape::length + Shape::length / 8 + 4;
    return static_cast<std::size_t>(pitch) * Shape::width * sizeof(Complex<Real>) + 16;
  }
}

/// Calls action(shape) for the shape of the list that has this length; false when none has.
template <class Action, class... Shapes>
bool with_shape([[maybe_unused]] index_t length, ShapeList<Shapes...> /*list*/, [[maybe_unused]] Action action) {
  return ((Shapes::length == length ? (action(Shapes{}), true) : false) || ...);
}

// Wide teams, of more than 256 threads, have sources of their own (rows_wide.cpp, columns_wide.cpp, relay_wide.cpp), which are
// compiled for no more registers than a multiprocessor has, and 64 where two teams of 512 share one: half of the threads that it
// can hold are then in flight, where narrow teams of 32 elements a thread reached 12 to 37 %. On an H200, f32, GB/s: 1024 x 1024
// from 1400 to 1880, 2^19 from 1450 to 1820, 10^6 from 1310 to 1630, 15625 from 2400 to 2950.

/// Rows: whole transforms, contiguous in memory.
template <class Real>
struct FixedRows;

template <>
struct FixedRows<float> {
  using Small = ShapeList<FixedShape<2, 64, 0, 4, 2>,          // 8
                          FixedShape<3, 32, 0, 4, 3>,          // 12
                          FixedShape<4, 32, 0, 4, 4>,          // 16
                          FixedShape<2, 64, 0, 17>,            // 17
                          FixedShape<3, 64, 0, 19>,            // 19
                          FixedShape<3, 64, 0, 23>,            // 23
                          FixedShape<3, 64, 0, 29>,            // 29
                          FixedShape<3, 64, 0, 31>,            // 31
                          FixedShape<3, 64, 0, 37>,            // 37
                          FixedShape<8, 16, 0, 8, 4>,          // 32
                          FixedShape<6, 32, 0, 8, 6>,          // 48
                          FixedShape<16, 16, 0, 8, 8>,         // 64
                          FixedShape<20, 8, 0, 5, 5, 4>,       // 100
                          FixedShape<16, 16, 0, 16, 8>,        // 128
                          FixedShape<16, 8, 0, 16, 16>,        // 256
                          FixedShape<30, 8, 0, 12, 6, 5>,      // 360
                          FixedShape<64, 1, 0, 8, 8, 8>>;      // 512
  using Large = ShapeList<FixedShape<100, 2, 0, 10, 10, 10>,   // 1000
                          FixedShape<91, 1, 0, 11, 13, 7>,     // 1001
                          FixedShape<64, 1, 0, 16, 4, 16>,     // 1024
                          FixedShape<108, 2, 0, 10, 12, 9>,    // 1080
                          FixedShape<128, 1, 0, 12, 8, 16>,    // 1536
                          FixedShape<128, 1, 0, 16, 16, 8>,    // 2048
                          FixedShape<243, 1, 0, 9, 9, 27>,     // 2187
                          FixedShape<125, 1, 0, 25, 25, 5>,    // 3125
                          FixedShape<240, 1, 0, 15, 15, 16>,   // 3600
                          FixedShape<195, 1, 0, 15, 13, 21>,   // 4095
                          FixedShape<256, 1, 0, 16, 16, 16>,   // 4096
                          FixedShape<240, 1, 0, 16, 15, 21>,   // 5040
                          FixedShape<243, 1, 0, 27, 27, 9>,    // 6561
                          FixedShape<256, 1, 0, 32, 16, 16>,   // 8192
                          FixedShape<250, 1, 0, 20, 20, 25>,   // 10000
                          FixedShape<256, 1, 8, 32, 32, 16>>;  // 16384
  using Wide = ShapeList<FixedShape<625, 1, 0, 25, 25, 25>>;   // 15625
};

template <>
struct FixedRows<double> {
  using Small = ShapeList<FixedShape<1, 64, 0, 8>,                 // 8
                          FixedShape<3, 32, 0, 4, 3>,              // 12
                          FixedShape<4, 32, 0, 4, 4>,              // 16
                          FixedShape<2, 64, 0, 17>,                // 17
                          FixedShape<3, 32, 0, 19>,                // 19
                          FixedShape<3, 32, 0, 23>,                // 23
                          FixedShape<3, 32, 0, 29>,                // 29
                          FixedShape<3, 32, 0, 31>,                // 31
                          FixedShape<3, 32, 0, 37>,                // 37
                          FixedShape<4, 32, 0, 8, 4>,              // 32
                          FixedShape<6, 16, 0, 8, 6>,              // 48
                          FixedShape<8, 16, 0, 8, 8>,              // 64
                          FixedShape<10, 12, 0, 10, 10>,           // 100
                          FixedShape<16, 8, 0, 16, 8>,             // 128
                          FixedShape<32, 4, 0, 16, 16>,            // 256
                          FixedShape<36, 4, 0, 10, 6, 6>,          // 360
                          FixedShape<64, 2, 0, 8, 8, 8>>;          // 512
  using Large = ShapeList<FixedShape<100, 1, 0, 10, 10, 10>,       // 1000
                          FixedShape<91, 1, 0, 11, 13, 7>,         // 1001
                          FixedShape<64, 1, 0, 16, 8, 8>,          // 1024
                          FixedShape<108, 1, 0, 10, 12, 9>,        // 1080
                          FixedShape<128, 1, 0, 12, 8, 16>,        // 1536
                          FixedShape<128, 1, 0, 16, 8, 16>,        // 2048
                          FixedShape<243, 1, 0, 9, 9, 9, 3>,       // 2187
                          FixedShape<125, 1, 0, 5, 5, 5, 5, 5>,    // 3125
                          FixedShape<240, 1, 0, 15, 15, 16>,       // 3600
                          FixedShape<195, 1, 0, 15, 13, 7, 3>,     // 4095
                          FixedShape<256, 1, 0, 16, 16, 16>,       // 4096
                          FixedShape<240, 1, 0, 16, 15, 21>,       // 5040
                          FixedShape<243, 1, 0, 9, 9, 9, 9>,       // 6561
                          FixedShape<256, 1, 8, 16, 8, 8, 8>,      // 8192
                          FixedShape<250, 1, 0, 10, 10, 10, 10>>;  // 10000
  using Wide = ShapeList<>;
};

/// Rows of real numbers, to or from their spectra: by half their length.
template <class Real>
struct FixedReals;

template <>
struct FixedReals<float> {
  using Shapes = ShapeList<FixedShape<2, 64, 0, 4, 2>,          // 8
                           FixedShape<4, 32, 0, 4, 4>,          // 16
                           FixedShape<8, 16, 0, 8, 4>,          // 32
                           FixedShape<10, 16, 0, 10, 5>,        // 50
                           FixedShape<16, 16, 0, 8, 8>,         // 64
                           FixedShape<16, 16, 0, 16, 8>,        // 128
                           FixedShape<16, 8, 0, 16, 16>,        // 256
                           FixedShape<50, 4, 0, 10, 10, 5>,     // 500
                           FixedShape<64, 1, 0, 8, 8, 8>,       // 512
                           FixedShape<100, 2, 0, 10, 10, 10>,   // 1000
                           FixedShape<64, 1, 0, 16, 4, 16>,     // 1024
                           FixedShape<128, 1, 0, 16, 16, 8>,    // 2048
                           FixedShape<256, 1, 0, 16, 16, 16>,   // 4096
                           FixedShape<250, 1, 0, 25, 10, 20>,   // 5000
                           FixedShape<256, 1, 0, 32, 16, 16>>;  // 8192
};

template <>
struct FixedReals<double> {
  using Shapes = ShapeList<FixedShape<2, 32, 0, 4, 2>,           // 8
                           FixedShape<4, 32, 0, 4, 4>,           // 16
                           FixedShape<4, 32, 0, 8, 4>,           // 32
                           FixedShape<10, 16, 0, 10, 5>,         // 50
                           FixedShape<8, 16, 0, 8, 8>,           // 64
                           FixedShape<16, 8, 0, 16, 8>,          // 128
                           FixedShape<32, 4, 0, 16, 16>,         // 256
                           FixedShape<50, 2, 0, 10, 10, 5>,      // 500
                           FixedShape<64, 2, 0, 8, 8, 8>,        // 512
                           FixedShape<100, 1, 0, 10, 10, 10>,    // 1000
                           FixedShape<64, 1, 0, 16, 8, 8>,       // 1024
                           FixedShape<128, 1, 0, 16, 8, 16>,     // 2048
                           FixedShape<256, 1, 0, 16, 16, 16>,    // 4096
                           FixedShape<256, 1, 8, 16, 8, 8, 8>>;  // 8192
};

/// Columns: the passes of longer transforms, several side by side.
template <class Real>
struct FixedColumns;

template <>
struct FixedColumns<float> {
  using Narrow = ShapeList<FixedShape<8, 32, 0, 8, 8>,         // 64
                           FixedShape<16, 16, 0, 10, 10>,      // 100
                           FixedShape<25, 8, 0, 5, 5, 5>,      // 125
                           FixedShape<16, 16, 0, 16, 8>,       // 128
                           FixedShape<16, 16, 0, 16, 16>,      // 256
                           FixedShape<20, 8, 0, 20, 20>,       // 400
                           FixedShape<64, 4, 0, 16, 16, 16>>;  // 4096
  using Wide = ShapeList<FixedShape<32, 16, 0, 16, 4, 8>,      // 512
                         FixedShape<50, 8, 0, 10, 5, 5, 4>,    // 1000
                         FixedShape<64, 8, 0, 16, 8, 8>,       // 1024
                         FixedShape<128, 4, 0, 16, 16, 8>>;    // 2048
  using Shapes = decltype(joined(Narrow{}, Wide{}));
};

template <>
struct FixedColumns<double> {
  using Narrow = ShapeList<FixedShape<8, 16, 0, 8, 8>,          // 64
                           FixedShape<10, 8, 0, 10, 10>,        // 100
                           FixedShape<25, 8, 0, 5, 5, 5>,       // 125
                           FixedShape<16, 8, 0, 16, 8>,         // 128
                           FixedShape<16, 8, 0, 16, 16>,        // 256
                           FixedShape<40, 4, 0, 10, 10, 4>,     // 400
                           FixedShape<32, 8, 0, 8, 8, 8>,       // 512
                           FixedShape<128, 2, 0, 16, 16, 16>>;  // 4096
  using Wide = ShapeList<FixedShape<100, 4, 0, 10, 10, 10>,     // 1000
                         FixedShape<128, 4, 0, 8, 8, 4, 4>,     // 1024
                         FixedShape<256, 4, 0, 8, 8, 8, 4>>;    // 2048
  using Shapes = decltype(joined(Narrow{}, Wide{}));
};

/// Convolutions of Bluestein's algorithm in one kernel, for transforms of up to half the length.
template <class Real>
struct FixedConvolutions;

template <>
struct FixedConvolutions<float> {
  using Shapes = ShapeList<FixedShape<8, 16, 0, 8, 8>,          // 64
                           FixedShape<16, 8, 0, 16, 8>,         // 128
                           FixedShape<16, 8, 0, 16, 16>,        // 256
                           FixedShape<64, 2, 0, 8, 8, 8>,       // 512
                           FixedShape<64, 1, 0, 16, 4, 16>,     // 1024
                           FixedShape<128, 1, 0, 16, 16, 8>,    // 2048
                           FixedShape<256, 1, 0, 16, 16, 16>,   // 4096
                           FixedShape<256, 1, 0, 32, 16, 16>,   // 8192
                           FixedShape<256, 1, 4, 32, 32, 16>>;  // 16384
};

template <>
struct FixedConvolutions<double> {
  using Shapes = ShapeList<FixedShape<8, 16, 0, 8, 8>,           // 64
                           FixedShape<16, 8, 0, 16, 8>,          // 128
                           FixedShape<16, 8, 0, 16, 16>,         // 256
                           FixedShape<64, 1, 0, 8, 8, 8>,        // 512
                           FixedShape<64, 1, 0, 16, 8, 8>,       // 1024
                           FixedShape<128, 1, 0, 16, 8, 16>,     // 2048
                           FixedShape<256, 1, 0, 16, 16, 16>,    // 4096
                           FixedShape<256, 1, 4, 16, 8, 8, 8>>;  // 8192
};

/// Rader's transforms in one kernel: of the length given here and one more, a prime.
template <class Real>
struct FixedRaders;

template <>
struct FixedRaders<float> {
  using Shapes = ShapeList<FixedShape<6, 32, 0, 10, 6>,           // 61
                           FixedShape<14, 16, 0, 14, 9>,          // 127
                           FixedShape<50, 4, 0, 10, 5, 5>,        // 251
                           FixedShape<63, 1, 0, 16, 9, 7>,        // 1009
                           FixedShape<132, 1, 0, 31, 12, 11>,     // 4093
                           FixedShape<256, 1, 0, 10, 9, 7, 13>>;  // 8191
};

template <>
struct FixedRaders<double> {
  using Shapes = ShapeList<FixedShape<10, 8, 0, 10, 6>,            // 61
                           FixedShape<14, 8, 0, 14, 9>,            // 127
                           FixedShape<50, 2, 0, 10, 5, 5>,         // 251
                           FixedShape<63, 1, 0, 16, 9, 7>,         // 1009
                           FixedShape<234, 1, 0, 15, 14, 13, 3>>;  // 8191
};

}  // namespace phpc::fft
