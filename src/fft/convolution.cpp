#include "phpc/fft/convolution.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <string>

#include "fft/convolution_kernels.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/launch.hpp"
#include "phpc/exec/unfinished_launches.hpp"
#include "phpc/fft/hooks.hpp"
#include "phpc/fft/plan.hpp"

namespace phpc::fft {

namespace {

index_t product(const std::vector<index_t>& lengths) {
  index_t all = 1;
  for (const index_t length : lengths) {
    all *= length;
  }
  return all;
}

void validate(const ConvolutionDescriptor& d) {
  PHPC_VALIDATE(!d.lengths.empty() && d.lengths.size() <= 3, ErrorKind::usage,
                "cannot convolve along " + std::to_string(d.lengths.size()) + " axes; give one, two or three lengths");
  PHPC_VALIDATE(d.filter_lengths.size() == d.lengths.size(), ErrorKind::usage,
                "the filter has " + std::to_string(d.filter_lengths.size()) + " axes and the signal " +
                    std::to_string(d.lengths.size()) + "; give as many");
  PHPC_VALIDATE(d.batch >= 0, ErrorKind::usage,
                "cannot convolve a batch of " + std::to_string(d.batch) + " signals; give 0 or more");
  PHPC_VALIDATE(d.elements != Elements::planar, ErrorKind::usage,
                "cannot convolve planar complex numbers; give interleaved or real ones");
  constexpr index_t most = index_t{1} << 55;
  for (std::size_t axis = 0; axis < d.lengths.size(); ++axis) {
    PHPC_VALIDATE(
        d.lengths[axis] >= 1 && d.lengths[axis] <= most && d.filter_lengths[axis] >= 1 && d.filter_lengths[axis] <= most,
        ErrorKind::usage, "a signal or a filter has a length below 1 or above 2^55; give another");
    const bool must_fit = d.extent == Extent::valid || d.extent == Extent::cyclic;
    PHPC_VALIDATE(!must_fit || d.filter_lengths[axis] <= d.lengths[axis], ErrorKind::usage,
                  "the filter is longer than the signal (" + std::to_string(d.filter_lengths[axis]) + " and " +
                      std::to_string(d.lengths[axis]) + " elements); choose the full or the same extent");
  }
}

/// Returns the length of the transforms along each axis.
std::vector<index_t> padded_lengths(const ConvolutionDescriptor& d) {
  std::vector<index_t> padded;
  for (std::size_t axis = 0; axis < d.lengths.size(); ++axis) {
    // Of a valid result, what wraps around falls on elements that nobody asks for.
    const index_t needed = d.extent == Extent::valid ? d.lengths[axis] : d.lengths[axis] + d.filter_lengths[axis] - 1;
    padded.push_back(d.extent == Extent::cyclic ? d.lengths[axis] : fft_good_length(needed));
  }
  if (d.elements == Elements::real && d.extent != Extent::cyclic && padded.back() % 2 == 1) {
    padded.back() = 2 * fft_good_length((padded.back() + 1) / 2);  // real transforms halve even lengths
  }
  return padded;
}

/// Returns, along each axis, the element of the full or cyclic convolution with which the result begins.
std::vector<index_t> first_elements(const ConvolutionDescriptor& d) {
  std::vector<index_t> first;
  first.reserve(d.filter_lengths.size());
  for (const index_t m : d.filter_lengths) {
    first.push_back(d.extent == Extent::same ? (m - 1) / 2 : d.extent == Extent::valid ? m - 1 : 0);
  }
  return first;
}

/// Returns the lengths of three axes: the last ones, with lengths of 1 in front of fewer.
Box box_of(const std::vector<index_t>& lengths, index_t missing) {
  Box box{{missing, missing, missing}};
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    box.length[3 - lengths.size() + axis] = lengths[axis];
  }
  return box;
}

}  // namespace

std::vector<index_t> ConvolutionDescriptor::out_lengths() const {
  std::vector<index_t> result;
  for (std::size_t axis = 0; axis < lengths.size(); ++axis) {
    const index_t n = lengths[axis];
    const index_t m = filter_lengths[axis];
    result.push_back(extent == Extent::full ? n + m - 1 : extent == Extent::valid ? n - m + 1 : n);
  }
  return result;
}

/// Pads, transforms, multiplies, transforms back and cuts out, part by part of the batch.
template <class Real>
class Convolution::TypedImpl {
 public:
  using Value = Complex<Real>;

  TypedImpl(const ConvolutionDescriptor& d, exec::Device device, Array<const Real> filter)
      : device_(device),
        batch_(d.batch),
        is_real_(d.elements == Elements::real),
        padded_(padded_lengths(d)),
        signal_(box_of(d.lengths, 1)),
        result_(box_of(d.out_lengths(), 1)),
        first_(box_of(first_elements(d), 0)),
        whole_(box_of(padded_, 1)) {
    Descriptor forward{.lengths = padded_, .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64};
    forward.kind = is_real_ ? Kind::real_to_complex : Kind::complex_to_complex;
    Descriptor back = forward;
    back.kind = is_real_ ? Kind::complex_to_real : Kind::complex_to_complex;
    back.direction = Direction::inverse;
    back.scale = 1 / static_cast<double>(product(padded_));
    spectrum_each_ = product(forward.out_lengths());
    const auto bytes = static_cast<std::size_t>(2 * spectrum_each_) * 2 * sizeof(Value);
    part_ = detail::hooked_part(device, batch_, bytes);
    forward.batch = part_;
    back.batch = part_;
    forward_.emplace(forward, device);
    back_.emplace(back, device);
    padded_memory_ = exec::Buffer<Real>(device, part_ * product(padded_) * reals());
    spectrum_ = exec::Buffer<Value>(device, part_ * spectrum_each_);
    take_filter(box_of(d.filter_lengths, 1), filter);
  }

  void execute(Array<const Real> in, Array<Real> out) {
    const Elements elements = is_real_ ? Elements::real : Elements::complex;
    PHPC_VALIDATE(in.elements() == elements && out.elements() == elements, ErrorKind::usage,
                  "cannot convolve arrays of another form (of real or complex numbers) than the descriptor's; give that form");
    const std::scoped_lock lock(mutex_);
    const exec::UnfinishedLaunches unfinished;
    for (index_t done = 0; done < batch_; done += part_) {
      const index_t now = std::min(part_, batch_ - done);
      pad(in.from(done * signal_.elements()).first(), signal_, now);
      forward_->execute(padded(), spectrum_.data(), now);
      const index_t count = now * spectrum_each_;
      launch(count, ProductKernel<Real>{spectrum_.data(), filter_.data(), spectrum_each_, count});
      back_->execute(spectrum_.data(), padded(), now);
      const index_t results = now * result_.elements();
      launch(results * reals(), CutKernel<Real>{padded_memory_.data(), out.from(done * result_.elements()).first(), whole_,
                                                result_, first_, reals(), results * reals()});
    }
    exec::UnfinishedLaunches::wait();
  }

 private:
  [[nodiscard]] index_t reals() const { return is_real_ ? 1 : 2; }
  [[nodiscard]] Array<Real> padded() {
    return is_real_ ? Array<Real>(padded_memory_.data()) : Array<Real>(reinterpret_cast<Value*>(padded_memory_.data()));
  }
  template <class Kernel>
  void launch(index_t count, const Kernel& kernel) {
    exec::launch(device_, {.groups = ceil_div(count, detail::hook_elements)}, kernel);
  }
  void pad(const Real* from, const Box& box, index_t count) {
    const index_t all = count * whole_.elements() * reals();
    launch(all, PadKernel<Real>{from, padded_memory_.data(), box, whole_, reals(), all});
  }
  void take_filter(const Box& box, Array<const Real> filter) {
    PHPC_VALIDATE(filter.elements() == (is_real_ ? Elements::real : Elements::complex), ErrorKind::usage,
                  "the filter's numbers are of another form (real or complex) than the signal's; give that form");
    const auto count = static_cast<std::size_t>(box.elements() * reals());
    const exec::Buffer<Real> on_device(device_, std::span<const Real>(filter.first(), count));
    filter_ = exec::Buffer<Value>(device_, spectrum_each_);
    pad(on_device.data(), box, 1);
    forward_->execute(padded(), filter_.data(), 1);
  }

  exec::Device device_;
  index_t batch_;
  bool is_real_;
  std::vector<index_t> padded_;
  Box signal_;
  Box result_;
  Box first_;
  Box whole_;
  index_t spectrum_each_ = 0;
  index_t part_ = 1;  ///< signals that go through together
  std::optional<Plan> forward_;
  std::optional<Plan> back_;
  exec::Buffer<Real> padded_memory_;
  exec::Buffer<Value> spectrum_;
  exec::Buffer<Value> filter_;
  std::mutex mutex_;
};

class Convolution::Impl {
 public:
  std::optional<TypedImpl<float>> f32;
  std::optional<TypedImpl<double>> f64;
};

namespace {

void expect_precision(bool agrees) {
  PHPC_VALIDATE(agrees, ErrorKind::usage,
                "cannot convolve elements of another precision than the descriptor's; set it to that of the arrays");
}

}  // namespace

Convolution::Convolution(const ConvolutionDescriptor& descriptor, exec::Device device, Array<const float> filter)
    : impl_(std::make_unique<Impl>()) {
  validate(descriptor);
  expect_precision(descriptor.precision == Precision::f32);
  impl_->f32.emplace(descriptor, device, filter);
}
Convolution::Convolution(const ConvolutionDescriptor& descriptor, exec::Device device, Array<const double> filter)
    : impl_(std::make_unique<Impl>()) {
  validate(descriptor);
  expect_precision(descriptor.precision == Precision::f64);
  impl_->f64.emplace(descriptor, device, filter);
}
Convolution::Convolution(Convolution&&) noexcept = default;
Convolution& Convolution::operator=(Convolution&&) noexcept = default;
Convolution::~Convolution() = default;

void Convolution::execute(Array<const float> in, Array<float> out) const {
  expect_precision(impl_->f32.has_value());
  impl_->f32->execute(in, out);
}
void Convolution::execute(Array<const double> in, Array<double> out) const {
  expect_precision(impl_->f64.has_value());
  impl_->f64->execute(in, out);
}

}  // namespace phpc::fft
