#include "phpc/fft/descriptor.hpp"

#include <cmath>
#include <limits>
#include <string>

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

void validate(const Descriptor& descriptor) {
  PHPC_VALIDATE(descriptor.lengths.size() == 1, ErrorKind::usage,
                "cannot plan a transform over " + std::to_string(descriptor.lengths.size()) + " axes; give one length");
  const index_t length = descriptor.lengths.front();
  PHPC_VALIDATE(length >= 1, ErrorKind::usage,
                "cannot plan a transform of length " + std::to_string(length) + "; give a length of at least 1");
  PHPC_VALIDATE(descriptor.batch >= 0, ErrorKind::usage,
                "cannot plan a batch of " + std::to_string(descriptor.batch) + " transforms; give 0 or more");
  PHPC_VALIDATE(std::isfinite(descriptor.scale), ErrorKind::usage, "the scale of a transform is not finite; give a number");
  // Bluestein's convolution may need four times the length.
  const index_t item = descriptor.precision == Precision::f32 ? 8 : 16;
  const index_t most = std::numeric_limits<index_t>::max() / item / 4;
  PHPC_VALIDATE(length <= most && descriptor.batch <= most / length, ErrorKind::usage,
                "cannot plan " + std::to_string(descriptor.batch) + " transforms of length " + std::to_string(length) +
                    " (their bytes do not fit in 63 bits); give a smaller size");
}

}  // namespace phpc::fft
