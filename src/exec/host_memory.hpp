#pragma once
#include <cstdint>
#include <filesystem>

namespace phpc::exec {

/// Memory in bytes, as far as this process may have it.
struct HostMemory {
  std::uint64_t total = 0;  ///< of the machine, or the least limit on the process; 0 = not known
  std::uint64_t free = 0;   ///< of that, what the process can still take without others losing theirs; 0 = not known
};

/// The least of what the machine has (/proc/meminfo: MemTotal, MemAvailable), of what the control groups of the process and all
/// groups above them allow (version 2: memory.max, memory.high; version 1: memory.limit_in_bytes; what their processes use is
/// taken off, but for pages of files, which give way), and of RLIMIT_AS and RLIMIT_DATA. Files that cannot be read limit nothing.
/// `root` stands before all paths: another folder than "/" is for tests.
HostMemory host_memory(const std::filesystem::path& root = "/");

}  // namespace phpc::exec
