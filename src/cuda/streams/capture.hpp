#pragma once
#include <utility>
#include <vector>

#include "cuda/streams/stream.hpp"

namespace phpc::cuda {

/// A capture: the work of one or more streams in the order in which they were given it, which is an order that the work's graph
/// allows.
class Capture {
 public:
  explicit Capture(Stream& origin) : origin_(origin) {}
  [[nodiscard]] const Stream& origin() const { return origin_; }
  void add(Work work) { work_.push_back(std::move(work)); }
  [[nodiscard]] const std::vector<Work>& work() const { return work_; }
  /// Until cudaStreamEndCapture.
  [[nodiscard]] bool is_active() const { return active_; }
  void end() { active_ = false; }
  /// A call that cannot be captured ends the capture.
  void invalidate() { valid_ = false; }
  [[nodiscard]] bool is_valid() const { return valid_; }

 private:
  const Stream& origin_;
  std::vector<Work> work_;
  bool active_ = true;
  bool valid_ = true;
};

}  // namespace phpc::cuda
