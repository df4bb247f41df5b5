#include "jobs/fft/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "jobs/integer_list.hpp"
#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::jobs {

namespace {

using Lengths = std::vector<index_t>;

bool is_single(io::NpyType type) {
  return type == io::NpyType::float32 || type == io::NpyType::complex64;
}

io::NpyType type_of(bool complex, bool single) {
  if (complex) {
    return single ? io::NpyType::complex64 : io::NpyType::complex128;
  }
  return single ? io::NpyType::float32 : io::NpyType::float64;
}

index_t product(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), index_t{1}, std::multiplies<>());
}

/// Throws when the bytes of an array do not fit in 63 bits; the halved and the real array of a transform differ by less than
/// four.
void validate_size(const Lengths& shape, const std::string& name) {
  constexpr index_t most = std::numeric_limits<index_t>::max() / 64;
  index_t size = 1;
  for (const index_t length : shape) {
    PHPC_VALIDATE(length == 0 || size <= most / length, ErrorKind::usage,
                  fmt::format("cannot transform '{}' to shape ({}) (its bytes do not fit in 63 bits); give smaller lengths", name,
                              fmt::join(shape, ", ")));
    size *= std::max<index_t>(1, length);
  }
}

Lengths named_axes(const ProblemRequest& request, const Lengths& sizes, std::size_t rank, const Lengths& shape,
                   const std::string& name) {
  const auto axes_of_array = static_cast<index_t>(rank);
  if (request.axes == "all") {
    Lengths all(rank);
    std::iota(all.begin(), all.end(), 0);
    return all;
  }
  Lengths axes;
  if (!request.axes_given && sizes.size() > 1) {
    for (auto axis = -static_cast<index_t>(sizes.size()); axis < 0; ++axis) {
      axes.push_back(axis);
    }
  } else {
    axes = parse_list(request.axes, "--axes");
  }
  for (index_t& axis : axes) {
    PHPC_VALIDATE(axis >= -axes_of_array && axis < axes_of_array, ErrorKind::usage,
                  fmt::format("'{}' of shape ({}) has no axis {}; give axes from {} to {}", name, fmt::join(shape, ", "), axis,
                              -axes_of_array, axes_of_array - 1));
    axis += axis < 0 ? axes_of_array : 0;
  }
  for (auto axis = axes.begin(); axis != axes.end(); ++axis) {
    PHPC_VALIDATE(std::count(axis, axes.end(), *axis) == 1, ErrorKind::usage,
                  fmt::format("--axes {} names axis {} of '{}' twice; name each once", request.axes, *axis, name));
  }
  return axes;
}

void validate_type(const ProblemRequest& request, io::NpyType type, const std::string& name) {
  if (request.kind == fft::Kind::real_to_complex) {
    PHPC_VALIDATE(
        !is_complex(type), ErrorKind::input,
        fmt::format("'{}' holds complex numbers ({}), and --real takes real ones; leave --real out", name, io::to_string(type)));
  } else if (request.kind == fft::Kind::complex_to_real) {
    PHPC_VALIDATE(
        is_complex(type), ErrorKind::input,
        fmt::format("'{}' holds real numbers ({}), and --inverse --real takes a spectrum, which is complex; leave --real "
                    "out",
                    name, io::to_string(type)));
  }
}

/// Returns the shape of the array that is transformed, or of the real one where there is one: the file's, with `sizes` along
/// `axes`.
Lengths transformed_shape(const ProblemRequest& request, const Lengths& sizes, const Lengths& axes, const Lengths& shape,
                          const std::string& name) {
  Lengths real_shape = shape;
  if (request.kind == fft::Kind::complex_to_real) {
    index_t& halved = real_shape[static_cast<std::size_t>(axes.back())];
    halved = std::max<index_t>(0, 2 * (halved - 1));
  }
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    PHPC_VALIDATE(
        sizes[i] >= 1 || sizes[i] == -1, ErrorKind::usage,
        fmt::format("--shape-out {} has a length of {}; give 1 or more, or -1 for the array's own", request.shape_out, sizes[i]));
    if (sizes[i] != -1) {
      real_shape[static_cast<std::size_t>(axes[i])] = sizes[i];
    }
  }
  for (const index_t axis : axes) {
    PHPC_VALIDATE(
        real_shape[static_cast<std::size_t>(axis)] > 0, ErrorKind::input,
        fmt::format("'{}' has shape ({}), so that its transforms have length 0; give it a longer axis {}, or --shape-out", name,
                    fmt::join(shape, ", "), axis));
  }
  return real_shape;
}

}  // namespace

fft::Precision FftProblem::precision() const {
  return is_single(in_type) ? fft::Precision::f32 : fft::Precision::f64;
}

index_t FftProblem::in_elements() const {
  return product(in_block);
}

index_t FftProblem::out_elements() const {
  return product(out_block);
}

std::vector<index_t> FftProblem::out_shape() const {
  Lengths shape = leading;
  shape.insert(shape.end(), out_block.begin(), out_block.end());
  return shape;
}

std::vector<index_t> FftProblem::lengths() const {
  Lengths lengths;
  for (const index_t axis : axes) {
    lengths.push_back(real_block[static_cast<std::size_t>(axis)]);
  }
  return lengths;
}

std::string FftProblem::resized_text() const {
  std::vector<std::string> changes;
  for (const index_t axis : axes) {
    const index_t given = file_block[static_cast<std::size_t>(axis)];
    const index_t taken = in_block[static_cast<std::size_t>(axis)];
    if (taken < given) {
      changes.push_back(fmt::format("the first {} of {} elements", taken, given));
    } else if (taken > given) {
      changes.push_back(fmt::format("{} elements, padded with zeros to {}", given, taken));
    }
  }
  return changes.empty() ? "" : fmt::format(" ({})", fmt::join(changes, "; "));
}

index_t FftProblem::transforms() const {
  const index_t elements = product(lengths());
  return elements == 0 ? 0 : product(real_block) / elements;
}

fft::Descriptor FftProblem::descriptor(index_t count) const {
  Lengths shape = real_block;
  Lengths shifted = axes;
  if (count != 1) {  // over one block the batch is another axis of it, where there is one: devices share it
    shape.insert(shape.begin(), count);
    for (index_t& axis : shifted) {
      ++axis;
    }
  }
  fft::Descriptor wanted;
  wanted.precision = precision();
  wanted.direction = direction;
  wanted.kind = kind;
  wanted.scale = scale;
  return fft::over_axes(shape, shifted, wanted);
}

ProblemRequest problem_request(const FftOptions& options) {
  ProblemRequest request;
  request.axes = options.axes;
  request.axes_given = options.axes_given;
  request.shape_out = options.shape_out;
  request.direction = options.inverse ? fft::Direction::inverse : fft::Direction::forward;
  if (options.real) {
    request.kind = options.inverse ? fft::Kind::complex_to_real : fft::Kind::real_to_complex;
  }
  request.norm = options.norm == "ortho"     ? fft::Norm::ortho
                 : options.norm == "forward" ? fft::Norm::forward
                                             : fft::Norm::backward;
  request.scale = options.scale;
  return request;
}

FftProblem make_problem(const ProblemRequest& request, io::NpyType type, const std::vector<index_t>& shape,
                        const std::string& name) {
  PHPC_VALIDATE(!shape.empty(), ErrorKind::input,
                fmt::format("'{}' holds a single number (a 0-d array); give an array of at least one axis", name));
  validate_type(request, type, name);
  const Lengths sizes = request.shape_out.empty() ? Lengths{} : parse_list(request.shape_out, "--shape-out");
  const Lengths axes = named_axes(request, sizes, shape.size(), shape, name);
  PHPC_VALIDATE(sizes.empty() || sizes.size() == axes.size(), ErrorKind::usage,
                fmt::format("--shape-out {} has {} lengths for {} axes; give one for each transformed axis", request.shape_out,
                            sizes.size(), axes.size()));
  const Lengths real_shape = transformed_shape(request, sizes, axes, shape, name);
  validate_size(shape, name);
  validate_size(real_shape, name);

  const auto first = static_cast<std::size_t>(*std::min_element(axes.begin(), axes.end()));
  const auto begin = static_cast<std::ptrdiff_t>(first);
  FftProblem problem;
  const bool single = is_single(type);
  problem.file_type = type;
  problem.in_type = type_of(request.kind != fft::Kind::real_to_complex, single);
  problem.out_type = type_of(request.kind != fft::Kind::complex_to_real, single);
  problem.leading.assign(shape.begin(), shape.begin() + begin);
  problem.blocks = product(problem.leading);
  problem.file_block.assign(shape.begin() + begin, shape.end());
  problem.real_block.assign(real_shape.begin() + begin, real_shape.end());
  for (const index_t axis : axes) {
    problem.axes.push_back(axis - begin);
  }
  problem.in_block = problem.real_block;
  problem.out_block = problem.real_block;
  const auto halved = static_cast<std::size_t>(problem.axes.back());
  if (request.kind == fft::Kind::real_to_complex) {
    problem.out_block[halved] = problem.real_block[halved] / 2 + 1;
  } else if (request.kind == fft::Kind::complex_to_real) {
    problem.in_block[halved] = problem.real_block[halved] / 2 + 1;
  }
  problem.kind = request.kind;
  problem.direction = request.direction;
  problem.scale = request.scale * fft::scale_factor(request.norm, request.direction, product(problem.lengths()));
  using Single = std::numeric_limits<float>;
  const double factor = std::abs(problem.scale);
  PHPC_VALIDATE(!single || factor == 0 || (factor >= Single::min() && factor <= Single::max()), ErrorKind::usage,
                fmt::format("--scale {} makes a factor of {:.3g}, which single precision does not hold ('{}' is of {}); give one "
                            "from {:.3g} to {:.3g}",
                            request.scale, problem.scale, name, io::to_string(type), Single::min(), Single::max()));
  return problem;
}

}  // namespace phpc::jobs
