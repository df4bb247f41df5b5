#include "jobs/memory_check.hpp"

#include <fmt/format.h>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::jobs {

void validate_memory(exec::Device device, double bytes, const std::string& what, const std::string& advice) {
  const std::uint64_t free = device.free_memory_bytes();
  if (free == 0 || bytes <= 0.9 * static_cast<double>(free)) {
    return;
  }
  constexpr double longest = 0x1p63;
  const std::string wanted =
      bytes < longest ? format_bytes(static_cast<std::uint64_t>(bytes)) : fmt::format("{:.3g} bytes", bytes);
  const std::string place = device.is_host() ? "the host" : "device " + device.label();
  fail(ErrorKind::memory,
       fmt::format("{} would take {} (on {} {} are free); {}", what, wanted, place, format_bytes(free), advice));
}

}  // namespace phpc::jobs
