#include "fft/axis_steps.hpp"

#include <algorithm>

namespace phpc::fft {

namespace {

std::vector<index_t> dense_strides(const std::vector<index_t>& lengths) {
  std::vector<index_t> strides(lengths.size(), 1);
  for (std::size_t axis = lengths.size() - 1; axis-- > 0;) {
    strides[axis] = strides[axis + 1] * lengths[axis + 1];
  }
  return strides;
}

FullLayout full_layout(const Layout& layout, std::vector<index_t> lengths, bool is_real) {
  FullLayout full;
  full.strides = layout.strides.empty() ? dense_strides(lengths) : layout.strides;
  full.lengths = std::move(lengths);
  full.elements = is_real ? Elements::real : layout.storage == Storage::planar ? Elements::planar : Elements::complex;
  full.distance = layout.distance != 0 ? layout.distance : full.extent();
  return full;
}

index_t repeats_of(const Descriptor& descriptor) {
  index_t count = 1;
  for (const Repeat& repeat : descriptor.repeats) {
    count *= repeat.count;
  }
  return count;
}

/// The layout of dense work memory for the input, all repeats of a transform together.
FullLayout work_layout(const Descriptor& descriptor) {
  FullLayout work;
  work.lengths = descriptor.in_lengths();
  work.strides = dense_strides(work.lengths);
  work.distance = work.extent() * repeats_of(descriptor);
  return work;
}

class StepMaker {
 public:
  explicit StepMaker(const Descriptor& descriptor)
      : descriptor_(descriptor), in_(in_layout(descriptor)), out_(out_layout(descriptor)), work_(work_layout(descriptor)) {}

  [[nodiscard]] AxisStep step(std::size_t axis, Stop from, Stop to) const {
    LineProblem problem{.length = descriptor_.lengths[axis], .direction = descriptor_.direction};
    problem.from_stride = layout(from).strides[axis];
    problem.to_stride = layout(to).strides[axis];
    return step(std::move(problem), axis, axis + 1, from, to);
  }

  /// The step of the last axes, from the input to the output.
  [[nodiscard]] AxisStep box_step(std::size_t axes) const {
    const std::size_t begin = descriptor_.lengths.size() - axes;
    LineProblem problem{.direction = descriptor_.direction};
    for (std::size_t axis = begin; axis < descriptor_.lengths.size(); ++axis) {
      problem.box.push_back(descriptor_.lengths[axis]);
      problem.length *= descriptor_.lengths[axis];
    }
    return step(std::move(problem), begin, descriptor_.lengths.size(), Stop::input, Stop::output);
  }

 private:
  /// Completes a step along axes [begin, end).
  [[nodiscard]] AxisStep step(LineProblem problem, std::size_t begin, std::size_t end, Stop from, Stop to) const {
    const FullLayout& source = layout(from);
    const FullLayout& target = layout(to);
    problem.from = source.elements;
    problem.to = target.elements;
    problem.loops.push_back({descriptor_.batch, source.distance, target.distance});
    index_t work_distance = work_.extent();
    for (std::size_t index = descriptor_.repeats.size(); index-- > 0;) {
      const Repeat& repeat = descriptor_.repeats[index];
      const auto distance = [&](Stop stop) {
        return stop == Stop::input ? repeat.in_distance : stop == Stop::output ? repeat.out_distance : work_distance;
      };
      problem.loops.push_back({repeat.count, distance(from), distance(to)});
      work_distance *= repeat.count;
    }
    for (std::size_t other = 0; other < descriptor_.lengths.size(); ++other) {
      if (other < begin || other >= end) {
        problem.loops.push_back({source.lengths[other], source.strides[other], target.strides[other]});
      }
    }
    return {from, to, std::move(problem)};
  }

  [[nodiscard]] const FullLayout& layout(Stop stop) const {
    return stop == Stop::input ? in_ : stop == Stop::output ? out_ : work_;
  }

  const Descriptor& descriptor_;
  FullLayout in_;
  FullLayout out_;
  FullLayout work_;
};

/// Returns the axes that have a step beside the last axis, the last of them first.
std::vector<std::size_t> other_axes(const Descriptor& descriptor) {
  std::vector<std::size_t> axes;
  for (std::size_t axis = descriptor.lengths.size() - 1; axis-- > 0;) {
    if (descriptor.lengths[axis] > 1) {
      axes.push_back(axis);
    }
  }
  return axes;
}

}  // namespace

index_t FullLayout::extent() const {
  index_t last = 0;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    last += (lengths[axis] - 1) * strides[axis];
  }
  return last + 1;
}

FullLayout in_layout(const Descriptor& descriptor) {
  return full_layout(descriptor.in, descriptor.in_lengths(), descriptor.kind == Kind::real_to_complex);
}

FullLayout out_layout(const Descriptor& descriptor) {
  return full_layout(descriptor.out, descriptor.out_lengths(), descriptor.kind == Kind::complex_to_real);
}

std::optional<LineProblem> box_problem(const Descriptor& descriptor, std::size_t axes) {
  const std::size_t begin = descriptor.lengths.size() - axes;
  if (std::count_if(descriptor.lengths.begin() + static_cast<std::ptrdiff_t>(begin), descriptor.lengths.end(),
                    [](index_t length) { return length > 1; }) < 2) {
    return std::nullopt;
  }
  const FullLayout in = in_layout(descriptor);
  const FullLayout out = out_layout(descriptor);
  if (in.elements != Elements::complex || out.elements != Elements::complex) {
    return std::nullopt;
  }
  index_t dense = 1;
  for (std::size_t axis = descriptor.lengths.size(); axis-- > begin;) {
    if (in.strides[axis] != dense || out.strides[axis] != dense) {
      return std::nullopt;
    }
    dense *= descriptor.lengths[axis];
  }
  return StepMaker(descriptor).box_step(axes).problem;
}

std::vector<AxisStep> axis_steps(const Descriptor& descriptor, std::size_t box_axes) {
  const StepMaker maker(descriptor);
  const std::size_t last = descriptor.lengths.size() - 1;
  const std::vector<std::size_t> others = other_axes(descriptor);
  std::vector<AxisStep> steps;
  if (box_axes > 0) {
    steps.push_back(maker.box_step(box_axes));
    for (const std::size_t axis : others) {
      if (axis + box_axes <= last) {
        steps.push_back(maker.step(axis, Stop::output, Stop::output));
      }
    }
  } else if (descriptor.kind == Kind::complex_to_real) {
    Stop at = Stop::input;
    for (const std::size_t axis : others) {
      steps.push_back(maker.step(axis, at, Stop::work));
      at = Stop::work;
    }
    steps.push_back(maker.step(last, at, Stop::output));
  } else {
    Stop at = Stop::input;
    if (descriptor.kind == Kind::real_to_complex || descriptor.lengths[last] > 1 || others.empty()) {
      steps.push_back(maker.step(last, at, Stop::output));
      at = Stop::output;
    }
    for (const std::size_t axis : others) {
      steps.push_back(maker.step(axis, at, Stop::output));
      at = Stop::output;
    }
  }
  steps.back().problem.scale = descriptor.scale;
  return steps;
}

index_t axis_work_elements(const Descriptor& descriptor) {
  const bool is_needed = descriptor.kind == Kind::complex_to_real && !other_axes(descriptor).empty();
  return is_needed ? work_layout(descriptor).distance : 0;
}

bool may_share_memory(const Descriptor& descriptor) {
  const FullLayout in = in_layout(descriptor);
  const FullLayout out = out_layout(descriptor);
  if (descriptor.kind == Kind::complex_to_complex) {
    return in.elements == out.elements && in.strides == out.strides && in.distance == out.distance &&
           std::all_of(descriptor.repeats.begin(), descriptor.repeats.end(),
                       [](const Repeat& repeat) { return repeat.in_distance == repeat.out_distance; });
  }
  const bool from_real = descriptor.kind == Kind::real_to_complex;
  const FullLayout& real = from_real ? in : out;
  const FullLayout& halved = from_real ? out : in;
  bool agree = halved.elements == Elements::complex && real.strides.back() == 1 && halved.strides.back() == 1 &&
               real.distance == 2 * halved.distance;
  for (std::size_t axis = 0; axis + 1 < real.strides.size(); ++axis) {
    agree = agree && real.strides[axis] == 2 * halved.strides[axis];
  }
  for (const Repeat& repeat : descriptor.repeats) {
    agree = agree && (from_real ? repeat.in_distance == 2 * repeat.out_distance : repeat.out_distance == 2 * repeat.in_distance);
  }
  return agree;
}

}  // namespace phpc::fft
