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

/// The factor that `norm` puts on the result of a transform over `elements` elements in all.
double scale_factor(Norm norm, Direction direction, index_t elements);

/// The problem that a Plan solves: `batch` complex-to-complex transforms, each contiguous, one directly after the other, in place
/// or not. Fields not named keep their defaults, so that later fields change nothing for a caller:
///   Plan plan({.lengths = {1024}, .batch = 1000}, device);
struct Descriptor {
  /// Elements along each transformed axis: one axis, of any length from 1.
  std::vector<index_t> lengths{};
  /// How many transforms one execution does; 0 does nothing.
  index_t batch = 1;
  Precision precision = Precision::f32;
  Direction direction = Direction::forward;
  /// Multiplies every element of the result; any finite number.
  double scale = 1;

  /// Elements of one transform.
  [[nodiscard]] index_t elements() const;
};

/// Throws Error(usage) for a descriptor that no plan can serve: no axis or several, a length below 1, a negative batch, a size
/// whose bytes overflow 63 bits, a scale that is not finite.
void validate(const Descriptor& descriptor);

}  // namespace phpc::fft
