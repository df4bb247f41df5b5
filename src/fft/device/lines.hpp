#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "fft/device/line_passes.hpp"
#include "fft/device/pass_launch.hpp"

namespace phpc::fft {

/// Whether a device transforms the boxes of a problem in one pass: a GPU where two of them fit into a multiprocessor.
template <class Real>
bool takes_box(exec::Device device, const LineProblem& problem);

/// Transforms along an axis, or along several that make a box, on a device, as passes over its memory. Real is float or double.
template <class Real>
class DeviceLines {
 public:
  /// Builds the passes, their tables and their work memory. Throws Error(memory) when these do not fit, Error(usage) for a length
  /// beyond what three passes can do. takes_real_passes: whether lines of real numbers may go by passes that need complex numbers
  /// aligned as a whole.
  DeviceLines(exec::Device device, const LineProblem& problem, bool takes_real_passes = true);

  /// Does the first `batch` of the problem's first loop, and all of the others. With has_work_memory(), one call at a time, until
  /// its launches are done.
  void run(Array<const Real> from, Array<Real> to, index_t batch) const;
  [[nodiscard]] bool has_work_memory() const { return lines_.work_lines > 0 || lines_.needs_whole_from || lines_.needs_whole_to; }
  /// Bytes of tables and work memory on the device.
  [[nodiscard]] std::uint64_t device_bytes() const;
  /// See describe_passes().
  [[nodiscard]] std::string describe() const;

 private:
  /// Runs all steps for `count` iterations of loop `chunk_loop`; both arrays begin with the first of them.
  void run_chunk(const Parts<const Real>& in, const Parts<Real>& out, std::size_t chunk_loop, index_t count, index_t batch) const;
  /// Runs this part of step `index`, one of transforms, by the kernel that was chosen for it.
  void run_transforms(std::size_t index, const PassWindow& window, const Parts<const Real>& in, const Parts<Real>& out) const;
  /// Does this part of a step by the general kernel, where the step has one and the arrays are as it needs them; else returns
  /// false.
  [[nodiscard]] bool run_general(std::size_t index, const PassWindow& window, const Parts<const Real>& in,
                                 const Parts<Real>& out) const;
  /// Does rows in registers, where the step is of such and the arrays are aligned as they need; else returns false.
  [[nodiscard]] bool run_register_rows(const LineStep<Real>& step, const PassWindow& window, const Parts<const Real>& in,
                                       const Parts<Real>& out) const;
  /// Runs rows of real or of complex numbers by the general kernel.
  void run_general_rows(const LineStep<Real>& step, const PassWindow& window, const Parts<const Real>& in,
                        const Parts<Real>& out) const;

  LinePasses<Real> lines_;
  exec::Buffer<Pass<Real>> passes_;  ///< those of the steps, on the device
  /// The same lines without takes_real_passes, built at the first call with an array that is not aligned as they need.
  mutable std::unique_ptr<DeviceLines> at_any_place_;
};

}  // namespace phpc::fft
