#include <omp.h>

#include <string>

#include "phpc/exec/device.hpp"

namespace phpc::exec {

std::string offload_targets() {
  return PHPC_OFFLOAD_TARGETS;  // from CMake
}

std::string openmp_runtime() {
#if defined(__clang__)
  const std::string library = "libomp";
#else
  const std::string library = "libgomp";
#endif
  return library + " (OpenMP " + std::to_string(_OPENMP) + ")";
}

}  // namespace phpc::exec
