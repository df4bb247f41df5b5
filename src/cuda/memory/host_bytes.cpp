#include "cuda/memory/host_bytes.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>

namespace phpc::cuda {

namespace {

/// Calls part(offset, count) for parts of a range of bytes, each in a thread of its own. (A function that calls OpenMP does so
/// when it begins, by what clang makes of it.)
template <class Part>
[[gnu::noinline]] void share(std::size_t bytes, std::size_t wanted, const Part& part) {
  constexpr std::size_t page = std::size_t{2} << 20;  // a large page is first touched by one thread
  const int threads = static_cast<int>(std::min(wanted, static_cast<std::size_t>(omp_get_max_threads())));
#pragma omp parallel num_threads(threads)
  {
    const auto count = static_cast<std::size_t>(omp_get_num_threads());
    const auto number = static_cast<std::size_t>(omp_get_thread_num());
    const std::size_t each = (bytes / count / page + 1) * page;
    const std::size_t begin = std::min(each * number, bytes);
    part(begin, std::min(each, bytes - begin));
  }
}

/// Calls part(offset, count) for all of a range of bytes at once, or, if it is long, for parts of it in several threads.
template <class Part>
void share_if_long(std::size_t bytes, const Part& part) {
  constexpr std::size_t bytes_of_thread = std::size_t{8} << 20;
  if (bytes < 2 * bytes_of_thread) {  // without OpenMP, which takes up to 1 ms to begin
    part(0, bytes);
  } else {
    share(bytes, bytes / bytes_of_thread, part);
  }
}

}  // namespace

void copy_on_host(void* to, const void* from, std::size_t bytes) {
  share_if_long(bytes, [&](std::size_t offset, std::size_t count) {
    std::memcpy(static_cast<char*>(to) + offset, static_cast<const char*>(from) + offset, count);
  });
}

void fill_on_host(void* begin, int value, std::size_t bytes) {
  share_if_long(bytes,
                [&](std::size_t offset, std::size_t count) { std::memset(static_cast<char*>(begin) + offset, value, count); });
}

}  // namespace phpc::cuda
