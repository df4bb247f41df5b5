#include "cli/session/version.hpp"

#include <CLI/Version.hpp>

#include "phpc/exec/device.hpp"

namespace phpc::cli {

std::string version() {
  return PHPC_VERSION;  // from CMake
}

std::string version_in_detail() {
  const std::string targets = exec::offload_targets();
  return "portable-hpc " + version() + "\ncommit    " PHPC_COMMIT "\ncompiler  " PHPC_COMPILER "\nOpenMP    " +
         exec::openmp_runtime() + "\noffload   " + (targets.empty() ? "none (host threads only)" : targets) + "\n";
}

}  // namespace phpc::cli
