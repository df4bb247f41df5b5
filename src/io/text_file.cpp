#include "io/text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

/// Closes a descriptor on the way out.
struct Descriptor {
  int number;
  ~Descriptor() {
    if (number >= 0) {
      close(number);
    }
  }
};

}  // namespace

std::string read_text_file(const std::string& path) {
  const Descriptor file{open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.number < 0) {
    fail_errno("cannot open '" + path + "'", errno);
  }
  struct stat status{};
  std::size_t expected = 0;
  if (fstat(file.number, &status) == 0 && S_ISREG(status.st_mode)) {
    expected = static_cast<std::size_t>(status.st_size);
  }
  // One byte more than the size, so that the end of a regular file shows without growing the text. Pipes grow it.
  std::string text(expected + 1, '\0');
  std::size_t filled = 0;
  while (true) {
    if (filled == text.size()) {
      text.resize(std::max<std::size_t>(2 * text.size(), 1 << 16));
    }
    const ssize_t got = read(file.number, text.data() + filled, text.size() - filled);
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      fail_errno("cannot read '" + path + "'", errno);
    }
    if (got == 0) {
      break;
    }
    filled += static_cast<std::size_t>(got);
  }
  text.resize(filled);
  return text;
}

}  // namespace phpc::io
