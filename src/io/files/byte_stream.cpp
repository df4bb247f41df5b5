#include "io/files/byte_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

void fail_cut_short(const std::string& name, std::uint64_t got, std::uint64_t wanted, std::string_view what) {
  fail(ErrorKind::input, fmt::format("'{}' is cut short ({} of {} bytes of {}); copy it again", name, got, wanted, what));
}

std::string_view ByteStream::peek(std::size_t bytes) {
  if (ahead_.size() < ahead_at_ + bytes) {
    const std::size_t had = ahead_.size();
    ahead_.resize(ahead_at_ + bytes);
    ahead_.resize(had + file_.read(std::span(ahead_).subspan(had)));
  }
  return std::string_view(ahead_).substr(ahead_at_, bytes);
}

std::size_t ByteStream::read(std::span<std::byte> bytes) {
  const std::span<char> letters(reinterpret_cast<char*>(bytes.data()), bytes.size());
  std::size_t done = 0;
  if (sought_) {
    done = file_.read_at(position_, letters);
  } else {
    done = std::min(ahead_.size() - ahead_at_, letters.size());
    std::memcpy(letters.data(), ahead_.data() + ahead_at_, done);
    ahead_at_ += done;
    done += file_.read(letters.subspan(done));
  }
  position_ += done;
  return done;
}

std::uint64_t ByteStream::hold_rest(std::uint64_t most) {
  std::size_t wanted = std::size_t{1} << 16;
  while (peek(wanted).size() == wanted) {
    PHPC_VALIDATE(
        wanted <= most, ErrorKind::memory,
        fmt::format("'{}' holds more than {} (a pipe of unknown length is kept in memory); say the shape, or give a file", name(),
                    format_bytes(most)));
    wanted *= 2;
  }
  holds_rest_ = true;
  return ahead_.size() - ahead_at_;
}

void ByteStream::read_all(std::span<std::byte> bytes, std::string_view what) {
  const std::size_t done = read(bytes);
  if (done < bytes.size()) {
    fail_cut_short(name(), done, bytes.size(), what);
  }
}

void ByteStream::skip(std::uint64_t bytes, std::string_view what) {
  std::array<std::byte, 4096> block;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t part = std::min<std::uint64_t>(bytes - done, block.size());
    const std::size_t got = read(std::span(block).first(static_cast<std::size_t>(part)));
    done += got;
    if (got < part) {
      fail_cut_short(name(), done, bytes, what);
    }
  }
}

std::optional<std::uint64_t> ByteStream::left() const {
  if (holds_rest_) {
    return ahead_.size() - ahead_at_;
  }
  const auto size = file_.size();
  return size ? std::optional(*size - std::min(position_, *size)) : std::nullopt;
}

void ByteStream::seek(std::uint64_t position) {
  position_ = position;
  sought_ = true;
}

}  // namespace phpc::io
