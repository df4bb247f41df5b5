#include "exec/openmp_registration.hpp"

#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <string>

namespace phpc::exec {

bool remove_empty_openmp_registration() {
  const std::string path = "/dev/shm/__KMP_REGISTERED_LIB_" + std::to_string(getpid()) + "_" + std::to_string(getuid());
  std::ifstream file(path);
  if (!file) {
    return false;
  }
  const int first = file.peek();
  return (first == std::ifstream::traits_type::eof() || first == 0) && std::remove(path.c_str()) == 0;
}

}  // namespace phpc::exec
