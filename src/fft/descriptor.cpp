#include "phpc/fft/descriptor.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "fft/math/factors.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

double scale_factor(Norm norm, Direction direction, index_t elements) {
  const auto n = static_cast<double>(elements);
  switch (norm) {
    case Norm::backward:
      return direction == Direction::inverse ? 1 / n : 1;
    case Norm::ortho:
      return 1 / std::sqrt(n);
    case Norm::forward:
      return direction == Direction::forward ? 1 / n : 1;
  }
  return 1;
}

index_t Descriptor::elements() const {
  index_t product = 1;
  for (const index_t length : lengths) {
    product *= length;
  }
  return product;
}

std::vector<index_t> Descriptor::in_lengths() const {
  std::vector<index_t> result = lengths;
  if (kind == Kind::complex_to_real && !result.empty()) {
    result.back() = result.back() / 2 + 1;
  }
  return result;
}

std::vector<index_t> Descriptor::out_lengths() const {
  std::vector<index_t> result = lengths;
  if (kind == Kind::real_to_complex && !result.empty()) {
    result.back() = result.back() / 2 + 1;
  }
  return result;
}

namespace {

/// The most elements of an array: Bluestein's convolution may need four times as many.
constexpr index_t most_elements(Precision precision) {
  return std::numeric_limits<index_t>::max() / (precision == Precision::f32 ? 8 : 16) / 4;
}

/// Places from the first element of an array to its last, as a product or sum that must not pass `most`.
class Extent {
 public:
  explicit Extent(index_t most) : most_(most) {}
  /// Goes `count` - 1 steps of `distance` on.
  void add(index_t count, index_t distance) {
    if (count > 1 && distance > (most_ - last_) / (count - 1)) {
      fits_ = false;
    } else if (count > 1) {
      last_ += (count - 1) * distance;
    }
  }
  [[nodiscard]] bool fits() const { return fits_; }

 private:
  index_t most_;
  index_t last_ = 0;
  bool fits_ = true;
};

void validate_layout(const Layout& layout, const std::vector<index_t>& lengths, const Descriptor& descriptor, bool is_in) {
  const std::string side = is_in ? "in" : "out";
  PHPC_VALIDATE(layout.strides.empty() || layout.strides.size() == lengths.size(), ErrorKind::usage,
                "the " + side + " layout has " + std::to_string(layout.strides.size()) + " strides for " +
                    std::to_string(lengths.size()) + " axes; give one for each, or none");
  const bool are_positive =
      std::all_of(layout.strides.begin(), layout.strides.end(), [](index_t stride) { return stride >= 1; }) &&
      layout.distance >= 0;
  PHPC_VALIDATE(are_positive, ErrorKind::usage, "the " + side + " layout has a stride or a distance below 1; give positive ones");
  const bool is_real = descriptor.kind == (is_in ? Kind::real_to_complex : Kind::complex_to_real);
  PHPC_VALIDATE(!is_real || layout.storage == Storage::interleaved, ErrorKind::usage,
                "the " + side + " layout is planar, and its numbers are real; leave the storage at its default");
  Extent extent(most_elements(descriptor.precision));
  index_t one = 1;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    if (!layout.strides.empty()) {
      extent.add(lengths[axis], layout.strides[axis]);
    }
    one *= lengths[axis];
  }
  for (const Repeat& repeat : descriptor.repeats) {
    extent.add(repeat.count, is_in ? repeat.in_distance : repeat.out_distance);
  }
  extent.add(descriptor.batch, layout.distance != 0 ? layout.distance : one);
  PHPC_VALIDATE(extent.fits(), ErrorKind::usage,
                "cannot plan for the " + side + " layout (its bytes do not fit in 63 bits); give smaller distances");
}

}  // namespace

void validate(const Descriptor& descriptor) {
  PHPC_VALIDATE(!descriptor.lengths.empty(), ErrorKind::usage, "cannot plan a transform over no axes; give a length");
  const index_t most = most_elements(descriptor.precision);
  index_t all = 1;
  bool fits = true;
  for (const index_t length : descriptor.lengths) {
    PHPC_VALIDATE(length >= 1, ErrorKind::usage,
                  "cannot plan a transform of length " + std::to_string(length) + "; give a length of at least 1");
    fits = fits && length <= most / all;
    all = fits ? all * length : 1;
  }
  PHPC_VALIDATE(descriptor.batch >= 0, ErrorKind::usage,
                "cannot plan a batch of " + std::to_string(descriptor.batch) + " transforms; give 0 or more");
  PHPC_VALIDATE(std::isfinite(descriptor.scale), ErrorKind::usage, "the scale of a transform is not finite; give a number");
  for (const Repeat& repeat : descriptor.repeats) {
    PHPC_VALIDATE(repeat.count >= 1 && repeat.in_distance >= 1 && repeat.out_distance >= 1, ErrorKind::usage,
                  "a repeat of transforms has a count or a distance below 1; give positive ones");
    fits = fits && repeat.count <= most / all;
    all = fits ? all * repeat.count : 1;
  }
  PHPC_VALIDATE(fits && descriptor.batch <= most / all, ErrorKind::usage,
                "cannot plan " + std::to_string(descriptor.batch) + " transforms of length " +
                    std::to_string(descriptor.lengths.front()) + (descriptor.lengths.size() > 1 ? " x ..." : "") +
                    " (their bytes do not fit in 63 bits); give a smaller size");
  PHPC_VALIDATE(descriptor.kind != Kind::real_to_complex || descriptor.direction == Direction::forward, ErrorKind::usage,
                "a transform of real numbers is a forward one; for the inverse of a halved spectrum choose complex_to_real");
  PHPC_VALIDATE(descriptor.kind != Kind::complex_to_real || descriptor.direction == Direction::inverse, ErrorKind::usage,
                "a transform to real numbers is an inverse one; set the direction");
  validate_layout(descriptor.in, descriptor.in_lengths(), descriptor, true);
  validate_layout(descriptor.out, descriptor.out_lengths(), descriptor, false);
}

Descriptor over_axes(const std::vector<index_t>& shape, const std::vector<index_t>& axes, Descriptor descriptor) {
  const auto rank = static_cast<index_t>(shape.size());
  PHPC_VALIDATE(!axes.empty(), ErrorKind::usage, "no axis to transform is named; name one");
  std::vector<bool> is_transformed(shape.size(), false);
  std::vector<std::size_t> chosen;
  for (const index_t axis : axes) {
    const index_t index = axis < 0 ? axis + rank : axis;
    PHPC_VALIDATE(index >= 0 && index < rank, ErrorKind::usage,
                  "there is no axis " + std::to_string(axis) + " (the array has " + std::to_string(rank) +
                      "); name axes from 0 to " + std::to_string(rank - 1) + ", or from -1 down from the last");
    PHPC_VALIDATE(!is_transformed[static_cast<std::size_t>(index)], ErrorKind::usage,
                  "axis " + std::to_string(axis) + " is named twice; name each once");
    is_transformed[static_cast<std::size_t>(index)] = true;
    chosen.push_back(static_cast<std::size_t>(index));
  }
  const auto strides_of = [&](bool is_complex_side) {
    std::vector<index_t> strides(shape.size(), 1);
    index_t distance = 1;
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      strides[axis] = distance;
      distance *= is_complex_side && axis == chosen.back() ? shape[axis] / 2 + 1 : shape[axis];
    }
    return strides;
  };
  const std::vector<index_t> in = strides_of(descriptor.kind == Kind::complex_to_real);
  const std::vector<index_t> out = strides_of(descriptor.kind == Kind::real_to_complex);
  descriptor.lengths.clear();
  descriptor.in.strides.clear();
  descriptor.out.strides.clear();
  for (const std::size_t axis : chosen) {
    descriptor.lengths.push_back(shape[axis]);
    descriptor.in.strides.push_back(in[axis]);
    descriptor.out.strides.push_back(out[axis]);
  }
  // The outermost of the other axes is the batch, so that parts of it are parts of the array.
  descriptor.batch = 1;
  descriptor.in.distance = 0;
  descriptor.out.distance = 0;
  descriptor.repeats.clear();
  bool has_batch = false;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) {
    if (is_transformed[axis]) {
      continue;
    }
    if (!has_batch) {
      descriptor.batch = shape[axis];
      descriptor.in.distance = in[axis];
      descriptor.out.distance = out[axis];
      has_batch = true;
    } else {
      descriptor.repeats.push_back({shape[axis], in[axis], out[axis]});
    }
  }
  return descriptor;
}

index_t fft_good_length(index_t n) {
  constexpr index_t most = index_t{1} << 58;
  PHPC_VALIDATE(n >= 1 && n <= most, ErrorKind::usage,
                "there is no good length for " + std::to_string(n) + "; give one from 1 to 2^58");
  return smooth_length(n);
}

}  // namespace phpc::fft
