#pragma once
#include <string>
#include <utility>
#include <vector>

#include "support/process.hpp"

namespace phpc::test {

/// Sanitizers reserve terabytes of address space, so that no limit on it can be set.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool can_limit_address_space = false;
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
inline constexpr bool can_limit_address_space = false;
#else
inline constexpr bool can_limit_address_space = true;
#endif
#else
inline constexpr bool can_limit_address_space = true;
#endif

/// run_program() within an address space of so many MiB, as `ulimit -v` has it: what asks for more fails, and the machine stays
/// well. Two threads, whose stacks and heaps take part of it. Without a limit where none can be set.
inline ProgramResult run_in_address_space(int mebibytes, std::vector<std::string> arguments, ProgramSetting setting = {}) {
  setting.environment.emplace("OMP_NUM_THREADS", "2");
  if (!can_limit_address_space) {
    return run_program(arguments, setting);
  }
  const std::string limit = "ulimit -v " + std::to_string(1024L * mebibytes) + " && exec \"$PHPC_BINARY\" \"$@\"";
  arguments.insert(arguments.begin(), {"-c", limit, "sh"});
  setting.program = "/bin/sh";
  return run_program(arguments, setting);
}

}  // namespace phpc::test
