#pragma once
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "fft/axis_steps.hpp"
#include "fft/device/lines.hpp"
#include "fft/host/lines.hpp"
#include "phpc/core/progress.hpp"

namespace phpc::fft {

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

}  // namespace phpc::fft
