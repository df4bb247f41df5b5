#include <algorithm>
#include <limits>

#include "exec/nvidia/launches.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::exec::detail {

namespace {

std::string described(Device device) {
  return "device " + device.label() + " (" + device.properties().name + ")";
}

}  // namespace

LeaguePlan plan_league(Device device, index_t groups, index_t teams, int team_size, std::size_t dynamic_scratch_bytes) {
  device.open();
  const DeviceProperties& properties = device.properties();
  PHPC_VALIDATE(team_size <= properties.max_team_size, ErrorKind::device,
                "cannot launch a team of " + std::to_string(team_size) + " threads on " + described(device) + "; it allows " +
                    std::to_string(properties.max_team_size));
  LeaguePlan plan{.omp_device = device.omp_device(), .teams = 1, .team_size = team_size, .is_gpu = device.is_gpu()};
  index_t most_teams = std::numeric_limits<int>::max() / 1024;
  if (properties.kind == DeviceKind::x86_64) {
    // More teams than processors would only wait for each other, and libomp says so on standard error.
    most_teams = properties.compute_units;
  }
  plan.teams = static_cast<int>(std::min({groups, teams > 0 ? teams : groups, most_teams}));
  if (dynamic_scratch_bytes == 0) {
    return plan;
  }
  if (!device.is_gpu()) {
    plan.pool = allocate_bytes(device, dynamic_scratch_bytes * static_cast<std::size_t>(plan.teams));
    return plan;
  }
  PHPC_VALIDATE(dynamic_scratch_bytes <= properties.scratch_bytes, ErrorKind::device,
                "cannot give a team " + format_bytes(dynamic_scratch_bytes) + " of scratch on " + described(device) +
                    "; it has " + format_bytes(properties.scratch_bytes));
  plan.group_memory_bytes = dynamic_scratch_bytes;
  return plan;
}

void release_league(Device device, const LeaguePlan& plan) noexcept {
  free_bytes(device, plan.pool);
}

void fell_back_to_host(Device device) {
  fail(ErrorKind::device,
       "device " + device.label() +
           " did not run the kernel (OpenMP fell back to the host, whose result was not used); was the program "
           "built for this device? see `portable-hpc --version -v`");
}

void shape_next_launch(Device device, const Box& league, const Box& team) {
  if (device.properties().kind == DeviceKind::nvidia) {
    PHPC_VALIDATE(
        nvidia::shape_next_launch(device.omp_device(), league, team), ErrorKind::device,
        "cannot launch a kernel with blocks on " + described(device) + ": NVIDIA's driver takes no image of this program for it");
  }
}

void check_launch() {
  nvidia::check_launch();
}

}  // namespace phpc::exec::detail
