#include "phpc/io/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

/// Repeats a read until the bytes are there or the file ends. `read_some(done)` reads after the first `done` bytes.
template <class ReadSome>
std::size_t read_fully(std::size_t bytes, const std::string& name, ReadSome read_some) {
  std::size_t done = 0;
  while (done < bytes) {
    const ssize_t got = read_some(done);
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      fail_errno("cannot read '" + name + "'", errno);
    }
    if (got == 0) {
      break;
    }
    done += static_cast<std::size_t>(got);
  }
  return done;
}

}  // namespace

InputFile::InputFile(std::string path) : name_(std::move(path)) {
  if (name_ == "-") {
    name_ = "standard input";
    descriptor_ = dup(STDIN_FILENO);
  } else {
    do {
      descriptor_ = open(name_.c_str(), O_RDONLY | O_CLOEXEC);
    } while (descriptor_ < 0 && errno == EINTR);  // a pipe waits for who writes to it
  }
  if (descriptor_ < 0) {
    fail_errno("cannot open '" + name_ + "'", errno);
  }
  struct stat status{};
  int problem = fstat(descriptor_, &status) == 0 ? 0 : errno;
  if (problem == 0 && S_ISDIR(status.st_mode)) {
    problem = EISDIR;
  }
  if (problem != 0) {
    close(descriptor_);
    fail_errno("cannot read '" + name_ + "'", problem);
  }
  if (S_ISREG(status.st_mode)) {
    // Standard input may stand further on: another program may have read the first part of it.
    begin_ = static_cast<std::uint64_t>(std::max<off_t>(0, lseek(descriptor_, 0, SEEK_CUR)));
    const auto end = static_cast<std::uint64_t>(status.st_size);
    size_ = end - std::min(begin_, end);
  } else {
    interrupted_ = eventfd(0, EFD_CLOEXEC);
  }
}

InputFile::~InputFile() {
  close(descriptor_);
  if (interrupted_ >= 0) {
    close(interrupted_);
  }
}

std::size_t InputFile::read(std::span<char> bytes) {
  return read_fully(bytes.size(), name_, [&](std::size_t done) {
    if (interrupted_ >= 0) {
      std::array<pollfd, 2> awaited{{{descriptor_, POLLIN, 0}, {interrupted_, POLLIN, 0}}};
      if (poll(awaited.data(), awaited.size(), -1) < 0) {
        return ssize_t{-1};
      }
      PHPC_VALIDATE(awaited[1].revents == 0, ErrorKind::io,
                    "the rest of '" + name_ + "' was not read (nobody wants it any more)");
    }
    return ::read(descriptor_, bytes.data() + done, bytes.size() - done);
  });
}

void InputFile::interrupt() const {
  if (interrupted_ >= 0) {
    eventfd_write(interrupted_, 1);
  }
}

std::string InputFile::read_rest(std::uint64_t most) {
  constexpr std::uint64_t most_held = std::uint64_t{1} << 30;  // of a pipe
  const auto check = [&](std::uint64_t bytes) {
    PHPC_VALIDATE(bytes <= most, ErrorKind::input,
                  "'" + name_ + "' holds more than " + format_bytes(most) + " (no file of its kind does); is it the right one?");
  };
  check(size_.value_or(0));
  // One byte more than the size, so that the end of a regular file shows without growing the text. Pipes grow it.
  std::string text(static_cast<std::size_t>(size_.value_or(65535)) + 1, '\0');
  std::size_t filled = 0;
  for (;;) {
    filled += read(std::span(text).subspan(filled));
    check(filled);
    if (filled < text.size()) {
      text.resize(filled);
      return text;
    }
    PHPC_VALIDATE(text.size() < std::max(most_held, size_.value_or(0) + 2), ErrorKind::memory,
                  fmt::format("'{}' holds {} or more (a pipe is kept in memory); give a file", name_, format_bytes(most_held)));
    text.resize(2 * text.size());
  }
}

std::size_t InputFile::read_at(std::uint64_t offset, std::span<char> bytes) const {
  return read_fully(bytes.size(), name_, [&](std::size_t done) {
    return pread(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(begin_ + offset + done));
  });
}

}  // namespace phpc::io
