#include "cli/process/openmp_registration.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>

namespace phpc::cli {

void remove_empty_openmp_registration() {
  char path[96];
  std::snprintf(path, sizeof path, "/dev/shm/__KMP_REGISTERED_LIB_%ld_%ld", static_cast<long>(getpid()),
                static_cast<long>(getuid()));
  // Any user may have made something of that name there: do not follow links, nor wait for a pipe.
  const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) {
    return;
  }
  struct stat status{};
  char first = 0;
  const ssize_t count = fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? read(file, &first, 1) : -1;
  close(file);
  if (count == 0 || (count == 1 && first == 0)) {
    unlink(path);
  }
}

}  // namespace phpc::cli
