#include "cli/host_threads.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <mutex>

#include "phpc/core/error.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::cli {

namespace {

/// Threads that the program starts beside OpenMP's, for reading and writing.
constexpr int spare = 4;

}  // namespace

int startable_threads(int wanted) {
  std::mutex gate;
  Threads threads;
  const std::scoped_lock closed(gate);  // opened before the threads are joined
  return threads.start(wanted, [&gate] { const std::scoped_lock pass(gate); });
}

int set_host_threads(int asked) {
  const int wanted = asked > 0 ? asked : std::min(omp_get_max_threads(), most_host_threads);
  const int others = wanted - 1;
  const int startable = others == 0 ? 0 : startable_threads(others + spare);
  int threads = wanted;
  if (startable < others) {
    threads = std::max(1, startable + 1 - spare);
    PHPC_VALIDATE(asked == 0, ErrorKind::io,
                  fmt::format("cannot start {} threads (the system starts {}); give --threads {} or fewer, or raise the limit "
                              "(ulimit -u, ulimit -v, the job's)",
                              asked, startable + 1, threads));
  }
  omp_set_num_threads(threads);
  return threads;
}

}  // namespace phpc::cli
