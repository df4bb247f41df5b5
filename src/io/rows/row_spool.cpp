#include "io/rows/row_spool.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t held_bytes = std::size_t{16} << 20;

int open_nameless() {
  const char* const chosen = std::getenv("TMPDIR");
  const std::string folder = chosen != nullptr && *chosen != '\0' ? chosen : "/tmp";
  if (const int descriptor = open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600); descriptor >= 0) {
    return descriptor;
  }
  // A file system without files that never had a name.
  std::string path = folder + "/portable-hpc-rows-XXXXXX";
  const int descriptor = mkostemp(path.data(), O_CLOEXEC);
  if (descriptor < 0) {
    fail_errno("cannot write a temporary file '" + path + "'", errno);
  }
  unlink(path.c_str());
  return descriptor;
}

}  // namespace

RowSpool::~RowSpool() {
  if (descriptor_ >= 0) {
    close(descriptor_);
  }
}

void RowSpool::write(std::string_view text) {
  pending_ += text;
  if (pending_.size() >= held_bytes) {
    spill();
  }
}

void RowSpool::spill() {
  if (descriptor_ < 0) {
    descriptor_ = open_nameless();
  }
  std::string_view left = pending_;
  while (!left.empty()) {
    const ssize_t written = ::write(descriptor_, left.data(), left.size());
    if (written >= 0) {
      left.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno != EINTR) {
      fail_errno("cannot write a temporary file", errno);
    }
  }
  pending_.clear();
}

void RowSpool::copy_to(OutputFile& out) {
  if (descriptor_ >= 0) {
    spill();
    pending_.resize(std::size_t{1} << 20);
    off_t at = 0;
    for (;;) {
      const ssize_t got = pread(descriptor_, pending_.data(), pending_.size(), at);
      if (got < 0 && errno == EINTR) {
        continue;
      }
      if (got < 0) {
        fail_errno("cannot read a temporary file", errno);
      }
      if (got == 0) {
        break;
      }
      out.write(std::string_view(pending_.data(), static_cast<std::size_t>(got)));
      at += got;
    }
  } else {
    out.write(pending_);
  }
  pending_.clear();
}

}  // namespace phpc::io
