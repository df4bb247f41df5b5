#include "phpc/fft/plan.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "fft/axis_steps.hpp"
#include "fft/batch_pipeline.hpp"
#include "fft/device/lines.hpp"
#include "fft/host/lines.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/unfinished_launches.hpp"

namespace phpc::fft {

namespace {

/// The most work memory that a plan takes, unless one transform needs more.
constexpr index_t work_bytes_limit = index_t{256} << 20;

/// Bytes of one part of a batch on its way through a device: large enough for full transfer rates, small enough that parts
/// overlap.
constexpr index_t part_bytes = index_t{64} << 20;

std::string form_name(Elements elements) {
  return elements == Elements::complex ? "interleaved complex" : elements == Elements::planar ? "planar complex" : "real";
}

/// Returns the bytes of a number of an array, in each of its planes.
template <class Real>
std::size_t number_bytes(const FullLayout& layout) {
  return layout.elements == Elements::complex ? sizeof(Complex<Real>) : sizeof(Real);
}

template <class Real>
PipelineArray pipeline_array(const FullLayout& layout, index_t extent, const Array<Real>& array) {
  const std::size_t bytes = number_bytes<std::remove_const_t<Real>>(layout);
  const auto plane = [](Real* part) {
    return reinterpret_cast<std::byte*>(const_cast<std::remove_const_t<Real>*>(part));  // only read where it is const
  };
  return {{plane(array.first()), plane(array.second())},
          layout.elements == Elements::planar ? std::size_t{2} : std::size_t{1},
          static_cast<std::size_t>(layout.distance) * bytes,
          static_cast<std::size_t>(extent) * bytes};
}

/// Returns the array that begins at these planes.
template <class Real>
Array<Real> array_at(const FullLayout& layout, const std::array<std::byte*, 2>& planes) {
  auto* const first = reinterpret_cast<Real*>(planes[0]);
  if (layout.elements == Elements::planar) {
    return {first, reinterpret_cast<Real*>(planes[1])};
  }
  return layout.elements == Elements::real ? Array<Real>(first) : Array<Real>(reinterpret_cast<Complex<Real>*>(first));
}

std::string lengths_text(const LineProblem& problem) {
  std::string text;
  for (const index_t length : problem.box) {
    text += (text.empty() ? "" : " x ") + std::to_string(length);
  }
  return text.empty() ? "length " + std::to_string(problem.length) : "lengths " + text;
}

/// Returns how many last axes a device transforms in one step, as many as it can; 0 where there is no such step.
template <class Real>
std::size_t most_box_axes(const Descriptor& descriptor, exec::Device device) {
  for (std::size_t axes = descriptor.lengths.size(); device.is_gpu() && axes >= 2; --axes) {
    const std::optional<LineProblem> problem = box_problem(descriptor, axes);
    if (problem.has_value() && takes_box<Real>(device, *problem)) {
      return axes;
    }
  }
  return 0;
}

index_t elements_of(const FullLayout& layout) {
  index_t product = 1;
  for (const index_t length : layout.lengths) {
    product *= length;
  }
  return product;
}

[[noreturn, gnu::cold, gnu::noinline]] void refuse_precision() {
  fail(ErrorKind::usage,
       "cannot execute a plan on elements of another precision; set the descriptor's precision to that of the arrays");
}

}  // namespace

/// A Plan in one precision: see there.
template <class Real>
class TypedPlan {
 public:
  TypedPlan(const Descriptor& descriptor, exec::Device device);

  /// The whole batch.
  void execute(const Array<const Real>& in, const Array<Real>& out) {
    // Little work on the host is done before anything else would have been looked up.
    if (at_once_ != nullptr && in.elements() == in_.elements && out.elements() == out_.elements &&
        (in.first() != out.first() || may_share_memory_)) {
      at_once_->run(in, out);
      return;
    }
    execute(in, out, batch_);
  }
  void execute(const Array<const Real>& in, const Array<Real>& out, index_t batch);
  void execute_host(Array<const Real> in, Array<Real> out, Progress& progress);
  [[nodiscard]] std::uint64_t device_bytes() const;
  [[nodiscard]] std::string describe() const;

 private:
  struct Step {
    Stop from;
    Stop to;
    std::string lengths;  ///< for people
    std::optional<HostLines<Real>> on_host;
    const HostAtOnce<Real>* at_once = nullptr;     ///< of on_host, where that has it
    std::unique_ptr<DeviceLines<Real>> on_device;  ///< where on_host is absent
  };

  [[nodiscard]] bool has_work_memory() const;
  void check(const Array<const Real>& in, const Array<Real>& out) const;
  void run_steps(const Array<const Real>& in, const Array<Real>& out, index_t batch);
  void stream(Array<const Real> in, Array<Real> out, Progress& progress);

  exec::Device device_;
  index_t batch_;
  FullLayout in_;
  FullLayout out_;
  index_t in_extent_;  ///< of all repeats of a transform, in elements
  index_t out_extent_;
  bool out_has_gaps_;
  bool may_share_memory_;
  std::vector<Step> steps_;
  const HostAtOnce<Real>* at_once_ = nullptr;  ///< of the only step, where that is little work
  index_t work_elements_;                      ///< of one transform; 0 = there is no work memory
  index_t work_batch_ = 0;
  exec::Buffer<Complex<Real>> work_;
  std::mutex work_mutex_;  ///< with work memory, here or in a step: one execution at a time
};

template <class Real>
TypedPlan<Real>::TypedPlan(const Descriptor& descriptor, exec::Device device)
    : device_(device),
      batch_(descriptor.batch),
      in_(in_layout(descriptor)),
      out_(out_layout(descriptor)),
      in_extent_(in_.extent()),
      out_extent_(out_.extent()),
      may_share_memory_(fft::may_share_memory(descriptor)),
      work_elements_(axis_work_elements(descriptor)) {
  index_t out_elements = elements_of(out_);
  for (const Repeat& repeat : descriptor.repeats) {
    in_extent_ += (repeat.count - 1) * repeat.in_distance;
    out_extent_ += (repeat.count - 1) * repeat.out_distance;
    out_elements *= repeat.count;
  }
  out_has_gaps_ = out_extent_ != out_elements || (batch_ > 1 && out_.distance != out_elements);
  for (const AxisStep& step : axis_steps(descriptor, most_box_axes<Real>(descriptor, device))) {
    steps_.push_back({step.from, step.to, lengths_text(step.problem), std::nullopt, nullptr, nullptr});
    if (device.is_host()) {
      steps_.back().on_host.emplace(step.problem);
      steps_.back().at_once = steps_.back().on_host->at_once();
    } else {
      steps_.back().on_device = std::make_unique<DeviceLines<Real>>(device, step.problem);
    }
  }
  if (steps_.size() == 1 && steps_[0].on_host) {
    at_once_ = steps_[0].at_once;
  }
  if (work_elements_ > 0) {
    const index_t fitting = work_bytes_limit / (work_elements_ * static_cast<index_t>(sizeof(Complex<Real>)));
    work_batch_ = std::clamp<index_t>(fitting, 1, std::max<index_t>(batch_, 1));
    work_ = exec::Buffer<Complex<Real>>(device, work_batch_ * work_elements_);
  }
}

template <class Real>
bool TypedPlan<Real>::has_work_memory() const {
  return work_elements_ > 0 || std::any_of(steps_.begin(), steps_.end(), [](const Step& step) {
           return step.on_device != nullptr && step.on_device->has_work_memory();
         });
}

template <class Real>
void TypedPlan<Real>::check(const Array<const Real>& in, const Array<Real>& out) const {
  PHPC_VALIDATE(in.elements() == in_.elements, ErrorKind::usage,
                "cannot read " + form_name(in.elements()) + " numbers (the plan is for " + form_name(in_.elements) +
                    " ones); give the array that the descriptor names");
  PHPC_VALIDATE(out.elements() == out_.elements, ErrorKind::usage,
                "cannot write " + form_name(out.elements()) + " numbers (the plan is for " + form_name(out_.elements) +
                    " ones); give the array that the descriptor names");
  PHPC_VALIDATE(in.first() != out.first() || may_share_memory_, ErrorKind::usage,
                "cannot transform in place (elements of the result take other bytes than those they are made from); give equal "
                "layouts, real lines padded to 2 (n/2 + 1) numbers, or two arrays");
}

template <class Real>
void TypedPlan<Real>::execute(const Array<const Real>& in, const Array<Real>& out, index_t batch) {
  check(in, out);
  PHPC_VALIDATE(batch >= 0 && batch <= batch_, ErrorKind::usage,
                "cannot execute " + std::to_string(batch) + " transforms of a plan for " + std::to_string(batch_) +
                    "; plan for the largest batch");
  if (device_.is_host() && work_elements_ == 0) {
    run_steps(in, out, batch);
    return;
  }
  exec::UnfinishedLaunches unfinished;
  if (!has_work_memory()) {
    run_steps(in, out, batch);
    unfinished.finish();
    return;
  }
  const std::scoped_lock lock(work_mutex_);
  const index_t part = work_elements_ > 0 ? work_batch_ : batch;
  for (index_t done = 0; done < batch; done += part) {
    run_steps(in.from(done * in_.distance), out.from(done * out_.distance), std::min(part, batch - done));
  }
  exec::UnfinishedLaunches::wait();  // the next to have the lock writes the memory
}

template <class Real>
void TypedPlan<Real>::run_steps(const Array<const Real>& in, const Array<Real>& out, index_t batch) {
  const Array<const Real> arrays[] = {in, out, work_.data()};  // in the order of Stop
  const Array<Real> work(work_.data());
  for (const Step& step : steps_) {
    const Array<const Real>& from = arrays[static_cast<int>(step.from)];
    const Array<Real>& to = step.to == Stop::output ? out : work;
    if (step.at_once != nullptr && batch == batch_) {
      step.at_once->run(from, to);
    } else if (step.on_host) {
      step.on_host->run(from, to, batch);
    } else {
      step.on_device->run(from, to, batch);
    }
  }
}

template <class Real>
void TypedPlan<Real>::execute_host(Array<const Real> in, Array<Real> out, Progress& progress) {
  check(in, out);
  if (device_.is_host()) {
    execute(in, out, batch_);
    progress.advance(static_cast<std::uint64_t>(batch_));
    return;
  }
  stream(in, out, progress);
}

template <class Real>
void TypedPlan<Real>::stream(Array<const Real> in, Array<Real> out, Progress& progress) {
  const PipelineArray source = pipeline_array(in_, in_extent_, in);
  const PipelineArray target = pipeline_array(out_, out_extent_, out);
  const bool is_in_place = may_share_memory_ && source.plane_count == target.plane_count &&
                           source.distance_bytes == target.distance_bytes && source.item_bytes == target.item_bytes &&
                           (in.first() == out.first() || !out_has_gaps_);
  // Transforms that lie between one another's elements go together.
  const bool are_apart = in_.distance >= in_extent_ && out_.distance >= out_extent_;
  // A quarter of what is free for each of the four buffers, or half of it where there are two, leaves room for others.
  const auto free_bytes = static_cast<index_t>(device_.free_memory_bytes());
  const index_t most_bytes = free_bytes > 0 ? std::min(part_bytes, free_bytes / 6) : part_bytes;
  const auto each =
      static_cast<index_t>(std::max(source.distance_bytes * source.plane_count, target.distance_bytes * target.plane_count));
  const index_t part = are_apart ? std::max<index_t>(1, most_bytes / std::max<index_t>(each, 1)) : std::max<index_t>(batch_, 1);
  pipeline_batch(
      device_, {batch_, part, is_in_place, out_has_gaps_ && !is_in_place}, source, target,
      [this](const std::array<std::byte*, 2>& from, const std::array<std::byte*, 2>& to, index_t count) {
        execute(array_at<Real>(in_, from), array_at<Real>(out_, to), count);
      },
      progress);
}

template <class Real>
std::uint64_t TypedPlan<Real>::device_bytes() const {
  auto total = static_cast<std::uint64_t>(work_.size()) * sizeof(Complex<Real>);
  for (const Step& step : steps_) {
    total += step.on_host ? step.on_host->table_bytes() : step.on_device->device_bytes();
  }
  return total;
}

template <class Real>
std::string TypedPlan<Real>::describe() const {
  std::string text = sizeof(Real) == sizeof(float) ? "f32" : "f64";
  for (const Step& step : steps_) {
    text += ", " + step.lengths + ": " + (step.on_host ? step.on_host->describe() : step.on_device->describe());
  }
  const auto elements = [](const FullLayout& layout) {
    return static_cast<std::uint64_t>(elements_of(layout)) * (layout.elements == Elements::real ? 1 : 2) * sizeof(Real);
  };
  return text + "; at least " + format_bytes(elements(in_) + elements(out_)) + " read and written a transform";
}

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
