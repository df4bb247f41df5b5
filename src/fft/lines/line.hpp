#pragma once
#include <vector>

#include "phpc/core/types.hpp"
#include "phpc/fft/array.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::fft {

/// One of the dimensions over which lines repeat. Distances count elements of the array.
struct LineLoop {
  index_t count;
  index_t from;
  index_t to;
};

/// Transforms along one axis: what a Plan is made of. Kind and direction follow from the forms of both arrays:
///   complex or planar -> complex or planar   n elements to n
///   real -> complex or planar                n real numbers to n/2 + 1, forward
///   complex or planar -> real                n/2 + 1 elements to n real numbers, inverse
/// `from` and `to` may be the same array where a line's elements, or those of the real line and the halved one, take the same
/// bytes: every line is read before it is written.
struct LineProblem {
  index_t length = 1;  ///< n
  /// Several axes at a time, dense and of complex numbers on both sides: their lengths, the last axis contiguous, whose product
  /// is `length`. Only on devices that say so (takes_box).
  std::vector<index_t> box{};
  Direction direction = Direction::forward;
  double scale = 1;
  Elements from = Elements::complex;
  Elements to = Elements::complex;
  index_t from_stride = 1;  ///< between the elements of a line, in elements
  index_t to_stride = 1;
  /// Outermost first, at least one; the first is the batch, whose count is the largest that an execution asks for.
  std::vector<LineLoop> loops{};

  [[nodiscard]] bool is_real() const { return from == Elements::real || to == Elements::real; }
};

}  // namespace phpc::fft
