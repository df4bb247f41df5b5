#include "phpc/core/error.hpp"

#include <cstdio>
#include <cstdlib>
#include <system_error>

namespace phpc {

void fail(ErrorKind kind, const std::string& message) {
  throw Error(kind, message);
}

void fail_errno(const std::string& problem, int errno_value) {
  throw Error(ErrorKind::io, problem + " (" + std::generic_category().message(errno_value) + ")");
}

void detail::expectation_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "portable-hpc: broken expectation `%s` at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace phpc
