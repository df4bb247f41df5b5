#include <omp.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
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

#if PHPC_WITH_OFFLOAD
namespace {

/// LLVM's x86_64 plugin (19 and 22) writes each image that it loads to /tmp/tmpfile_XXXXXX and leaves it there.
void remove_offload_images() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    if (const std::size_t path = line.find("/tmp/tmpfile_"); path != std::string::npos) {
      unlink(line.substr(path).c_str());
    }
  }
}

}  // namespace
#endif

void leave(int exit_status) {
#if PHPC_WITH_OFFLOAD
  remove_offload_images();
  std::fflush(nullptr);
  std::_Exit(exit_status);
#else
  std::exit(exit_status);  // leak checkers report at exit
#endif
}

}  // namespace phpc::exec
