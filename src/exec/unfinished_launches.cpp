#include "phpc/exec/unfinished_launches.hpp"

#include "exec/nvidia/launches.hpp"
#include "phpc/core/error.hpp"

namespace phpc::exec {

void prepare_launches(Device device) {
  device.open();
  nvidia::prepare_launches(device.omp_device());
}

UnfinishedLaunches::UnfinishedLaunches() {
  nvidia::leave_unfinished(true);
}

UnfinishedLaunches::~UnfinishedLaunches() {
  try {
    finish();
  } catch (const Error&) {  // dropped, as is said above
  }
}

void UnfinishedLaunches::finish() {
  if (!is_finished_) {
    is_finished_ = true;
    if (nvidia::leave_unfinished(false)) {
      wait();
    }
  }
}

void UnfinishedLaunches::wait() {
  nvidia::finish_launches();
}

std::optional<IssuedLaunches> IssuedLaunches::of_this_thread(Device device) {
  const nvidia::Lane lane = nvidia::lane_of_this_thread(device.omp_device());
  return lane.gpu == nullptr ? std::nullopt : std::optional(IssuedLaunches(lane.gpu, lane.stream));
}

IssuedLaunches::Scope::Scope() {
  nvidia::leave_unfinished(true);
}

IssuedLaunches::Scope::~Scope() {
  nvidia::leave_unfinished(false);
}

void IssuedLaunches::wait() const {
  nvidia::wait_for({gpu_, stream_});
}

}  // namespace phpc::exec
