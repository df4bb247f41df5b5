#include "cli/process/host_threads.hpp"

#include <fmt/format.h>
#include <malloc.h>
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <vector>

#include "phpc/core/error.hpp"

namespace phpc::cli {

namespace {

/// Threads that the program starts beside OpenMP's, for reading and writing.
constexpr int spare = 4;

/// Waits until `gate` opens. Unlike a std::thread it frees nothing, for which glibc would set 64 MiB of addresses aside for it.
extern "C" void* pass(void* gate) {
  pthread_mutex_lock(static_cast<pthread_mutex_t*>(gate));
  pthread_mutex_unlock(static_cast<pthread_mutex_t*>(gate));
  return nullptr;
}

bool memory_is_limited() {
  rlimit limit{};
  return getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY;
}

/// Makes OpenMP start its threads now; it keeps them.
void start_openmp(int threads) {
  std::atomic<int> running = 0;
#pragma omp parallel num_threads(threads)
  ++running;
}

}  // namespace

int startable_threads(int wanted) {
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  std::vector<pthread_t> threads;
  threads.reserve(static_cast<std::size_t>(wanted));
  pthread_mutex_lock(&gate);
  for (pthread_t thread{}; static_cast<int>(threads.size()) < wanted && pthread_create(&thread, nullptr, pass, &gate) == 0;) {
    threads.push_back(thread);
  }
  pthread_mutex_unlock(&gate);
  for (const pthread_t thread : threads) {
    pthread_join(thread, nullptr);
  }
  return static_cast<int>(threads.size());
}

int set_host_threads(int asked) {
  const bool is_limited = memory_is_limited();
  if (is_limited) {
    // One heap for all threads: glibc sets 64 MiB of addresses aside for each of them otherwise, up to 8 a processor.
    mallopt(M_ARENA_MAX, 1);
  }
  const int wanted = asked > 0 ? asked : std::min(omp_get_max_threads(), most_host_threads);
  const int others = wanted - 1;
  const int startable = others == 0 ? 0 : startable_threads(others + spare);
  int threads = wanted;
  if (startable < others + spare && others > 0) {
    threads = std::max(1, (startable + 1 - spare) / 2);  // where memory is the limit, stacks leave half of it to the work
    PHPC_VALIDATE(
        asked == 0, ErrorKind::io,
        fmt::format("cannot start {} threads beside {} that read and write (the system starts {} in all); give --threads {} "
                    "or fewer, or raise the limit (ulimit -u, ulimit -v, the job's)",
                    asked, spare, startable + 1, threads));
  }
  omp_set_num_threads(threads);
  if (is_limited) {  // while there is room for their stacks; elsewhere their waiting would take time from readers
    start_openmp(threads);
  }
  return threads;
}

}  // namespace phpc::cli
