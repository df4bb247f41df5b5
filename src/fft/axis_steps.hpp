#pragma once
#include <optional>
#include <vector>

#include "fft/lines/line.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::fft {

/// A layout with nothing left to default: a stride for every axis, a distance.
struct FullLayout {
  std::vector<index_t> lengths;  ///< elements along each axis of this array
  std::vector<index_t> strides;
  index_t distance = 0;
  Elements elements = Elements::complex;

  /// From the first element of a transform to beyond its last, in elements.
  [[nodiscard]] index_t extent() const;
};
FullLayout in_layout(const Descriptor& descriptor);
FullLayout out_layout(const Descriptor& descriptor);

/// An array that a step of a transform reads or writes; `work` is dense complex memory of the size of the input.
enum class Stop { input, output, work };

/// All transforms along one of the axes, or of the last axes together (LineProblem::box).
struct AxisStep {
  Stop from;
  Stop to;
  LineProblem problem;
};

/// What a transform is made of, in order: of a real one along the last axis where the array is real, of all others in any order,
/// the last axis first; or with boxes of so many last axes in one step, which box_problem() has. Axes of one element have no
/// step, unless nothing else is left. The scale is the last step's.
std::vector<AxisStep> axis_steps(const Descriptor& descriptor, std::size_t box_axes = 0);

/// The step of the last `axes` axes as boxes: of interleaved complex numbers that lie dense in both arrays, at least two of those
/// axes longer than 1.
std::optional<LineProblem> box_problem(const Descriptor& descriptor, std::size_t axes);

/// Elements of work memory that each transform of the batch needs; 0 = none.
index_t axis_work_elements(const Descriptor& descriptor);

/// Whether both arrays may be the same memory: see Plan::execute.
bool may_share_memory(const Descriptor& descriptor);

}  // namespace phpc::fft
