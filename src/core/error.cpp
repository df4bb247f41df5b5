#include "phpc/core/error.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <system_error>

#include "phpc/core/output_unread.hpp"

namespace phpc {

namespace {

/// Replaces zero bytes, which would end what(), by \x00.
std::string without_zeros(const std::string& text) {
  std::string out;
  for (const char letter : text) {
    if (letter == '\0') {
      out += "\\x00";
    } else {
      out += letter;
    }
  }
  return out;
}

}  // namespace

void fail(ErrorKind kind, const std::string& message) {
  throw Error(kind, without_zeros(message));
}

void fail_errno(const std::string& problem, int errno_value) {
  const std::string message = problem + " (" + std::generic_category().message(errno_value) + ")";
  if (errno_value == EPIPE) {
    throw OutputUnread(without_zeros(message));
  }
  fail(ErrorKind::io, message);
}

void detail::expectation_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "portable-hpc: broken expectation `%s` at %s:%d\n", condition, file, line);
  std::abort();
}

}  // namespace phpc
