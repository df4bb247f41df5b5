#include "phpc/fft/plan.hpp"

#include <variant>

#include "fft/typed_plan.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

[[noreturn, gnu::cold, gnu::noinline]] void refuse_precision() {
  fail(ErrorKind::usage,
       "cannot execute a plan on elements of another precision; set the descriptor's precision to that of the arrays");
}

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
    if (plan == nullptr) {
      refuse_precision();
    }
    return *plan;
  }

  [[nodiscard]] std::uint64_t device_bytes() const {
    if (const auto* const plan = std::get_if<TypedPlan<float>>(&plan_)) {
      return plan->device_bytes();
    }
    return std::get<TypedPlan<double>>(plan_).device_bytes();
  }

  [[nodiscard]] std::string describe() const {
    return std::holds_alternative<TypedPlan<float>>(plan_) ? std::get<TypedPlan<float>>(plan_).describe()
                                                           : std::get<TypedPlan<double>>(plan_).describe();
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
std::string Plan::describe() const {
  return impl_->describe();
}

void Plan::execute(const Array<const float>& in, const Array<float>& out) const {
  impl_->typed<float>().execute(in, out);
}
void Plan::execute(const Array<const double>& in, const Array<double>& out) const {
  impl_->typed<double>().execute(in, out);
}
void Plan::execute(const Array<const float>& in, const Array<float>& out, index_t batch) const {
  impl_->typed<float>().execute(in, out, batch);
}
void Plan::execute(const Array<const double>& in, const Array<double>& out, index_t batch) const {
  impl_->typed<double>().execute(in, out, batch);
}
void Plan::enqueue(exec::Queue& queue, Array<const float> in, Array<float> out) const {
  queue.enqueue([impl = impl_.get(), in, out] { impl->typed<float>().execute(in, out, impl->descriptor().batch); });
}
void Plan::enqueue(exec::Queue& queue, Array<const double> in, Array<double> out) const {
  queue.enqueue([impl = impl_.get(), in, out] { impl->typed<double>().execute(in, out, impl->descriptor().batch); });
}
void Plan::execute_host(Array<const float> in, Array<float> out, Progress& progress) const {
  impl_->typed<float>().execute_host(in, out, progress);
}
void Plan::execute_host(Array<const double> in, Array<double> out, Progress& progress) const {
  impl_->typed<double>().execute_host(in, out, progress);
}

}  // namespace phpc::fft
