#pragma once
#include <string>
#include <vector>

#include "jobs/caller.hpp"
#include "jobs/fft/options.hpp"
#include "jobs/fft/stream.hpp"

namespace phpc::jobs {

/// What all inputs of one command share.
struct FftJob {
  const FftOptions& options;
  Caller& caller;
  std::vector<exec::Device> devices;
  std::uint64_t memory;  ///< bytes that the parts of an array may take

  /// Returns what logs the plans of a run, where the caller wants them.
  [[nodiscard]] PlanListener plan_listener() const {
    if (!caller.wants_debug()) {
      return {};
    }
    return [this](exec::Device device, const std::string& description) { caller.debug(device, description); };
  }
};

}  // namespace phpc::jobs
