#include "cli/process/standard_descriptors.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <initializer_list>

namespace phpc::cli {

void fill_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) {
      continue;
    }
    // Opened the wrong way round, so that reading or writing data fails and does not lose it in silence.
    const int mode = descriptor == STDOUT_FILENO ? O_RDONLY : O_WRONLY;
    // The lowest number that is free, which is this one. The root folder, where there is no /dev, can be read or written no more.
    if (open("/dev/null", mode) < 0 && open("/", O_RDONLY) < 0) {
      return;
    }
  }
}

}  // namespace phpc::cli
