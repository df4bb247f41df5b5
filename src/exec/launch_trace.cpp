#include "phpc/exec/launch_trace.hpp"

#include <cxxabi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace phpc::exec {

bool LaunchTrace::is_on() {
  static const bool is_on = [] {
    const char* const wanted = std::getenv("PHPC_TRACE");
    return wanted != nullptr && std::strcmp(wanted, "") != 0 && std::strcmp(wanted, "0") != 0;
  }();
  return is_on;
}

std::int64_t LaunchTrace::nanoseconds_now() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

void LaunchTrace::print() const noexcept {
  const double microseconds = 1e-3 * static_cast<double>(nanoseconds_now() - begin_);
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> name(abi::__cxa_demangle(kernel_.name(), nullptr, nullptr, &status),
                                                         &std::free);
  // A launch that throws before it has its teams ran none.
  std::fprintf(stderr, "trace: %s%s: %s: %lld groups in %lld teams of %d, %zu B of scratch, %.1f us\n",
               device_.is_host() ? "" : "device ", device_.label().c_str(), name ? name.get() : kernel_.name(),
               static_cast<long long>(groups_), static_cast<long long>(teams_), threads_, scratch_bytes_, microseconds);
}

}  // namespace phpc::exec
