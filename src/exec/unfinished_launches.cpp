#include "phpc/exec/unfinished_launches.hpp"

#include "exec/nvidia/launches.hpp"
#include "exec/nvidia/stamps.hpp"
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

std::shared_ptr<const LaunchLane> LaunchLane::on(Device device) {
  const nvidia::Lane lane = nvidia::new_lane(device.omp_device());
  return lane.gpu == nullptr ? nullptr : std::shared_ptr<const LaunchLane>(new LaunchLane(lane.gpu, lane.stream));
}

LaunchLane::~LaunchLane() {
  nvidia::give_back({gpu_, stream_});
}

LaunchLane::Scope::Scope(const LaunchLane& lane) {
  const nvidia::Lane before = nvidia::launch_in({lane.gpu_, lane.stream_});
  gpu_before_ = before.gpu;
  stream_before_ = before.stream;
}

LaunchLane::Scope::~Scope() {
  nvidia::launch_in({gpu_before_, stream_before_});
}

void LaunchLane::wait() const {
  nvidia::wait_for({gpu_, stream_});
}

std::unique_ptr<const LaunchStamp> LaunchStamp::behind_launches(Device device) {
  const nvidia::Lane lane = nvidia::current_lane(device.omp_device());
  return lane.gpu == nullptr ? nullptr : std::unique_ptr<const LaunchStamp>(new LaunchStamp(lane.gpu, nvidia::stamp(lane)));
}

LaunchStamp::~LaunchStamp() {
  nvidia::give_back_stamp(gpu_, event_);
}

bool LaunchStamp::is_reached() const {
  return nvidia::is_reached(gpu_, event_);
}

void LaunchStamp::wait() const {
  nvidia::wait_for_stamp(gpu_, event_);
}

float LaunchStamp::milliseconds(const LaunchStamp& begin, const LaunchStamp& end) {
  return nvidia::milliseconds_between(end.gpu_, begin.event_, end.event_);
}

}  // namespace phpc::exec
