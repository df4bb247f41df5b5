#pragma once
#include <stdexcept>
#include <string>

namespace phpc {

/// What went wrong, in the terms a caller acts on.
enum class ErrorKind {
  usage,   ///< the request itself is wrong: an option, a flag value, a size out of range
  input,   ///< a file's content is malformed or does not fit the request
  io,      ///< the operating system refused a read, write, open, rename
  device,  ///< a device is absent, has no image for it, or a launch failed
  memory,  ///< an allocation failed, on the host or on a device
};

/// The one exception type. `what()` reads "<problem> (<why>); <what to try>" without a trailing stop or newline.
class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
  [[nodiscard]] ErrorKind kind() const noexcept { return kind_; }

 private:
  ErrorKind kind_;
};

/// Throws Error{kind, message}.
[[noreturn]] void fail(ErrorKind kind, const std::string& message);

/// "<problem> (<text of errno value>)", for I/O errors.
[[noreturn]] void fail_errno(const std::string& problem, int errno_value);

namespace detail {
[[noreturn]] void expectation_failed(const char* condition, const char* file, int line);
}

}  // namespace phpc

/// Checks input from outside, in every build.
#define PHPC_VALIDATE(condition, kind, message) \
  do {                                          \
    if (!(condition)) {                         \
      ::phpc::fail((kind), (message));          \
    }                                           \
  } while (false)

/// Checks the program's own assumptions, in debug builds only, and aborts. Kernels may use it: it is checked on host threads and
/// on the x86_64 device, and compiled to nothing for GPUs.
#if defined(NDEBUG) || defined(__NVPTX__) || defined(__AMDGCN__)
#define PHPC_EXPECT(condition) static_cast<void>(0)
#else
#define PHPC_EXPECT(condition) \
  ((condition) ? static_cast<void>(0) : ::phpc::detail::expectation_failed(#condition, __FILE__, __LINE__))
#endif
