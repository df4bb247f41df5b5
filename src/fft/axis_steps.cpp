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

/// Dense memory for what goes in, all repeats of a transform together.
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
    const FullLayout& source = layout(from);
    const FullLayout& target = layout(to);
    LineProblem problem{.length = descriptor_.lengths[axis], .direction = descriptor_.direction};
    problem.from = source.elements;
    problem.to = target.elements;
    problem.from_stride = source.strides[axis];
    problem.to_stride = target.strides[axis];
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
      if (other != axis) {
        problem.loops.push_back({source.lengths[other], source.strides[other], target.strides[other]});
      }
    }
    return {from, to, std::move(problem)};
  }

 private:
  [[nodiscard]] const FullLayout& layout(Stop stop) const {
    return stop == Stop::input ? in_ : stop == Stop::output ? out_ : work_;
  }

  const Descriptor& descriptor_;
  FullLayout in_;
  FullLayout out_;
  FullLayout work_;
};

/// The axes that have a step beside the last one, the last of them first.
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

std::vector<AxisStep> axis_steps(const Descriptor& descriptor) {
  const StepMaker maker(descriptor);
  const std::size_t last = descriptor.lengths.size() - 1;
  const std::vector<std::size_t> others = other_axes(descriptor);
  std::vector<AxisStep> steps;
  if (descriptor.kind == Kind::complex_to_real) {
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
