#include <omp.h>

#include <cstdio>
#include <cstdlib>
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

void exit_process(int exit_status) {
#if PHPC_WITH_OFFLOAD
  std::fflush(nullptr);
  std::_Exit(exit_status);
#else
  std::exit(exit_status);  // leak checkers report at exit
#endif
}

}  // namespace phpc::exec
