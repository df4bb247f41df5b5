#pragma once
#include "phpc/exec/device.hpp"

namespace phpc::cli {

/// Launches a kernel of one team that does nothing on the device and waits for it: what a launch costs by itself.
void launch_empty_kernel(exec::Device device);

}  // namespace phpc::cli
