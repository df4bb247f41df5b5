#pragma once
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

enum class Precision { f32, f64 };

/// forward: X[k] = sum_j x[j] exp(-2 pi i j k / n); inverse: the same with +, and no division of its own (see scale_factor).
enum class Direction { forward, inverse };

/// Where the factor 1/n goes, in the words of numpy.fft: backward = on the inverse, ortho = 1/sqrt(n) on both, forward = on the
/// forward transform.
enum class Norm { backward, ortho, forward };

/// The factor that `norm` puts on the result of a transform over `elements` elements in all (of the real array, for transforms
/// from or to one).
double scale_factor(Norm norm, Direction direction, index_t elements);

/// What goes in and what comes out. The spectrum of real numbers repeats itself, X[n - k] = conj X[k], so that a complex array
/// beside a real one holds only elements 0 ... n/2 of the last axis: n/2 + 1 of them.
enum class Kind {
  complex_to_complex,
  real_to_complex,  ///< forward only
  complex_to_real   ///< inverse only; what the imaginary parts of elements 0 and n/2 (n even) hold is not read
};

/// How complex numbers lie in memory: real and imaginary part after one another, or in two arrays of their own.
enum class Storage { interleaved, planar };

/// Where the elements of an array lie. Distances count elements of the array: complex numbers (planar: of each of its two
/// arrays), or real ones. Every distance is at least 1, and no two elements share a place.
struct Layout {
  /// Between neighbours along each transformed axis; empty = dense, the last axis contiguous (C order).
  std::vector<index_t> strides{};
  /// Between the first elements of neighbouring transforms of the batch; 0 = one directly after the other.
  index_t distance = 0;
  Storage storage = Storage::interleaved;
};

/// A further dimension over which transforms repeat, beside the batch: `count` of them, that far apart in each array.
struct Repeat {
  index_t count = 1;
  index_t in_distance = 0;
  index_t out_distance = 0;
};

/// The problem that a Plan solves: `batch` transforms over one axis or several. Fields not named keep their defaults, which are
/// dense arrays of complex numbers:
///   Plan plan({.lengths = {1024}, .batch = 1000}, device);
///   Plan rows({.lengths = {480, 640}, .kind = Kind::real_to_complex}, device);
struct Descriptor {
  /// Elements along each transformed axis, of the real array where there is one; any length from 1.
  std::vector<index_t> lengths{};
  /// How many transforms one execution does; 0 does nothing.
  index_t batch = 1;
  Precision precision = Precision::f32;
  Direction direction = Direction::forward;
  Kind kind = Kind::complex_to_complex;
  /// Multiplies every element of the result; any finite number.
  double scale = 1;
  Layout in{};
  Layout out{};
  /// Every transform of the batch is done for each combination of these.
  std::vector<Repeat> repeats{};

  /// Elements of one transform: of the real array, where there is one.
  [[nodiscard]] index_t elements() const;
  /// Elements along each axis of what goes in and what comes out: `lengths`, the last one n/2 + 1 on the complex side of a real
  /// transform.
  [[nodiscard]] std::vector<index_t> in_lengths() const;
  [[nodiscard]] std::vector<index_t> out_lengths() const;
};

/// Throws Error(usage) for a descriptor that no plan can serve: no axis, a length below 1, a negative batch, a size whose bytes
/// overflow 63 bits, a scale that is not finite, strides of another number of axes, a distance below 1, planar storage of real
/// numbers, a direction that the kind excludes.
void validate(const Descriptor& descriptor);

/// The descriptor of transforms over some axes of a dense array in C order, repeated over its other axes; both arrays dense.
/// `shape` is that of the real array where there is one, `axes` counts from 0, or from the end when negative; with a real array
/// the last one named is the one that is halved. Throws Error(usage) for an axis that the shape lacks or that is named twice.
Descriptor over_axes(const std::vector<index_t>& shape, const std::vector<index_t>& axes, Descriptor descriptor = {});

/// The shortest length of at least n whose prime factors are at most 13, so that it is transformed without a convolution. For
/// padding. Throws Error(usage) for n below 1 or above 2^58.
index_t fft_good_length(index_t n);

}  // namespace phpc::fft
