#pragma once
#include <vector>

#include "phpc/exec/device.hpp"

namespace phpc::cli {

/// The devices that `--bench` measures: those that were chosen, and after them the host where `--with-host` asks for it.
inline std::vector<exec::Device> measured_devices(std::vector<exec::Device> chosen, bool with_host) {
  if (with_host && !chosen.back().is_host()) {
    chosen.push_back(exec::Device::host());
  }
  return chosen;
}

}  // namespace phpc::cli
