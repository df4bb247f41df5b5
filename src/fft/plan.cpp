#include "phpc/fft/plan.hpp"

#include <algorithm>
#include <mutex>
#include <string>
#include <variant>

#include "fft/schedule.hpp"
#include "fft/stream.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::fft {

namespace {

/// Work memory that a plan takes at most, unless one transform needs more.
constexpr index_t work_bytes_limit = index_t{256} << 20;

/// Bytes of one part of a batch on its way through a device: large enough for full transfer rates, small enough that parts
/// overlap.
constexpr index_t part_bytes = index_t{64} << 20;

/// A schedule with its work memory: a Plan in one precision.
template <class Real>
class TypedPlan {
 public:
  using Value = Complex<Real>;

  TypedPlan(const Descriptor& descriptor, exec::Device device)
      : device_(device),
        batch_(descriptor.batch),
        schedule_(device, {descriptor.elements(), std::max<index_t>(descriptor.batch, 1),
                           descriptor.direction == Direction::inverse, descriptor.scale}) {
    const index_t each = schedule_.work_elements();
    if (each > 0) {
      const index_t fitting = work_bytes_limit / (each * static_cast<index_t>(sizeof(Value)));
      at_once_ = std::clamp<index_t>(fitting, 1, std::max<index_t>(batch_, 1));
      first_work_ = exec::Buffer<Value>(device, at_once_ * each);
      if (schedule_.uses(Place::second_work)) {
        second_work_ = exec::Buffer<Value>(device, at_once_ * each);
      }
    }
  }

  [[nodiscard]] std::uint64_t device_bytes() const {
    return schedule_.table_bytes() + static_cast<std::uint64_t>(first_work_.size() + second_work_.size()) * sizeof(Value);
  }

  void execute(const Value* in, Value* out, index_t batch) {
    PHPC_VALIDATE(batch >= 0 && batch <= batch_, ErrorKind::usage,
                  "cannot execute " + std::to_string(batch) + " transforms of a plan for " + std::to_string(batch_) +
                      "; plan for the largest batch");
    if (at_once_ == 0) {
      schedule_.run(in, out, batch, nullptr, nullptr);
      return;
    }
    const std::scoped_lock lock(work_mutex_);
    for (index_t done = 0; done < batch; done += at_once_) {
      const index_t offset = done * schedule_.length();
      schedule_.run(in + offset, out + offset, std::min(at_once_, batch - done), first_work_.data(), second_work_.data());
    }
  }

  void execute_host(const Value* in, Value* out, Progress& progress) {
    if (device_.is_host()) {
      execute(in, out, batch_);
      progress.advance(static_cast<std::uint64_t>(batch_));
      return;
    }
    const index_t length = schedule_.length();
    // A quarter of what is free for each of the two buffers leaves room for whoever else uses the device.
    const auto free_bytes = static_cast<index_t>(device_.free_memory_bytes());
    const index_t most_bytes = free_bytes > 0 ? std::min(part_bytes, free_bytes / 4) : part_bytes;
    const index_t part = std::max<index_t>(1, most_bytes / (length * static_cast<index_t>(sizeof(Value))));
    stream_batch(
        device_, {length, batch_, part}, in, out, [this](Value* values, index_t count) { execute(values, values, count); },
        progress);
  }

 private:
  exec::Device device_;
  index_t batch_;
  Schedule<Real> schedule_;
  index_t at_once_ = 0;  ///< transforms that the work memory holds; 0 = none is needed
  exec::Buffer<Value> first_work_;
  exec::Buffer<Value> second_work_;
  std::mutex work_mutex_;
};

}  // namespace

class Plan::Impl {
 public:
  Impl(const Descriptor& descriptor, exec::Device device) : descriptor_(descriptor), device_(device) {
    validate(descriptor);
    if (descriptor.precision == Precision::f32) {
      plan_.emplace<TypedPlan<float>>(descriptor, device);
    } else {
      plan_.emplace<TypedPlan<double>>(descriptor, device);
    }
  }

  template <class Real>
  TypedPlan<Real>& typed() {
    auto* const plan = std::get_if<TypedPlan<Real>>(&plan_);
    PHPC_VALIDATE(plan != nullptr, ErrorKind::usage,
                  "cannot execute a plan on elements of another precision; set the descriptor's precision to that of the arrays");
    return *plan;
  }

  [[nodiscard]] std::uint64_t device_bytes() const {
    if (const auto* const plan = std::get_if<TypedPlan<float>>(&plan_)) {
      return plan->device_bytes();
    }
    return std::get<TypedPlan<double>>(plan_).device_bytes();
  }

  [[nodiscard]] const Descriptor& descriptor() const { return descriptor_; }
  [[nodiscard]] exec::Device device() const { return device_; }

 private:
  Descriptor descriptor_;
  exec::Device device_;
  std::variant<std::monostate, TypedPlan<float>, TypedPlan<double>> plan_;
};

Plan::Plan(const Descriptor& descriptor, exec::Device device) : impl_(std::make_unique<Impl>(descriptor, device)) {}
Plan::Plan(Plan&&) noexcept = default;
Plan& Plan::operator=(Plan&&) noexcept = default;
Plan::~Plan() = default;

const Descriptor& Plan::descriptor() const {
  return impl_->descriptor();
}
exec::Device Plan::device() const {
  return impl_->device();
}
std::uint64_t Plan::device_bytes() const {
  return impl_->device_bytes();
}

void Plan::execute(const Complex<float>* in, Complex<float>* out) const {
  execute(in, out, descriptor().batch);
}
void Plan::execute(const Complex<double>* in, Complex<double>* out) const {
  execute(in, out, descriptor().batch);
}
void Plan::execute(const Complex<float>* in, Complex<float>* out, index_t batch) const {
  impl_->typed<float>().execute(in, out, batch);
}
void Plan::execute(const Complex<double>* in, Complex<double>* out, index_t batch) const {
  impl_->typed<double>().execute(in, out, batch);
}
void Plan::execute_host(const Complex<float>* in, Complex<float>* out, Progress& progress) const {
  impl_->typed<float>().execute_host(in, out, progress);
}
void Plan::execute_host(const Complex<double>* in, Complex<double>* out, Progress& progress) const {
  impl_->typed<double>().execute_host(in, out, progress);
}

}  // namespace phpc::fft
