#include "io/files/zip_entry.hpp"

#include <fmt/format.h>
#include <minizip/unzip.h>
#include <zlib.h>

#include <algorithm>
#include <array>

#include "phpc/core/error.hpp"

namespace phpc::io {

namespace {

constexpr int by_exact_name = 1;
constexpr std::size_t most_at_once = std::size_t{1} << 20;
/// zlib's deflate makes no byte into more than 1032.
constexpr std::uint64_t most_inflation = 1032;

}  // namespace

void ZipEntry::Close::operator()(void* archive) const {
  unzClose(archive);
}

ZipEntry::Handle ZipEntry::open(const std::string& archive) {
  const InputFile file(archive);  // says why where it cannot be opened
  PHPC_VALIDATE(file.size().has_value(), ErrorKind::usage,
                fmt::format("'{}' is no regular file, and the contents of a .npz stand at its end; give a file", file.name()));
  Handle handle(unzOpen64(archive.c_str()));
  PHPC_VALIDATE(handle != nullptr, ErrorKind::input,
                fmt::format("'{}' is no .npz file, or was cut short (no zip directory at its end); write it again", archive));
  return handle;
}

bool ZipEntry::exists(const std::string& archive, const std::string& name) {
  const Handle handle = open(archive);
  return unzLocateFile(handle.get(), name.c_str(), by_exact_name) == UNZ_OK;
}

ZipEntry::ZipEntry(const std::string& archive, const std::string& name)
    : name_(fmt::format("{}: {}", archive, name)), archive_(open(archive)), file_(archive) {
  unzFile handle = archive_.get();
  PHPC_VALIDATE(unzLocateFile(handle, name.c_str(), by_exact_name) == UNZ_OK, ErrorKind::input,
                fmt::format("'{}' holds no {}", archive, name));
  unz_file_info64 info{};
  if (unzGetCurrentFileInfo64(handle, &info, nullptr, 0, nullptr, 0, nullptr, 0) != UNZ_OK) {
    fail_damaged();
  }
  PHPC_VALIDATE((info.flag & 1) == 0, ErrorKind::input, fmt::format("'{}' is encrypted; write it without", name_));
  PHPC_VALIDATE(info.compression_method == 0 || info.compression_method == Z_DEFLATED, ErrorKind::input,
                fmt::format("'{}' is compressed by method {}; stored and deflated entries are read, as numpy.savez writes them",
                            name_, info.compression_method));
  is_stored_ = info.compression_method == 0;
  size_ = info.uncompressed_size;
  wanted_sum_ = static_cast<std::uint32_t>(info.crc);
  // Before anybody takes memory for what a damaged directory says.
  const std::uint64_t archive_bytes = *file_.size();
  const std::uint64_t packed = info.compressed_size;
  if (packed > archive_bytes || (is_stored_ ? size_ != packed : size_ / most_inflation > packed) ||
      unzOpenCurrentFile(handle) != UNZ_OK) {
    fail_damaged();
  }
  begin_ = unzGetCurrentFileZStreamPos64(handle);
  if (begin_ > archive_bytes - packed) {
    fail_damaged();
  }
}

void ZipEntry::fail_damaged() const {
  fail(ErrorKind::input, fmt::format("'{}' is damaged; write or copy it again", name_));
}

std::size_t ZipEntry::read(std::span<std::byte> bytes) {
  std::size_t done = 0;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(bytes.size(), size_ - position_));
  while (done < wanted) {
    const std::span<std::byte> part = bytes.subspan(done, std::min(wanted - done, most_at_once));
    std::size_t got = 0;
    if (is_stored_) {
      got = file_.read_at(begin_ + position_, {reinterpret_cast<char*>(part.data()), part.size()});
    } else {
      const int inflated = unzReadCurrentFile(archive_.get(), part.data(), static_cast<unsigned>(part.size()));
      got = static_cast<std::size_t>(std::max(inflated, 0));
    }
    if (got == 0) {
      fail_damaged();
    }
    if (summed_ == position_) {
      sum_ = static_cast<std::uint32_t>(crc32_z(sum_, reinterpret_cast<const Bytef*>(part.data()), got));
      summed_ += got;
    }
    done += got;
    position_ += got;
  }
  if (wanted > 0 && position_ == size_ && summed_ == size_ && sum_ != wanted_sum_) {
    fail_damaged();
  }
  return done;
}

void ZipEntry::seek(std::uint64_t position) {
  PHPC_EXPECT(position <= size_);
  if (is_stored_) {
    position_ = position;
    return;
  }
  if (position < position_) {
    unzCloseCurrentFile(archive_.get());
    if (unzOpenCurrentFile(archive_.get()) != UNZ_OK) {
      fail_damaged();
    }
    position_ = 0;
    summed_ = 0;
    sum_ = 0;
  }
  std::array<std::byte, std::size_t{1} << 14> skipped{};
  while (position_ < position) {
    read(std::span(skipped).first(static_cast<std::size_t>(std::min<std::uint64_t>(skipped.size(), position - position_))));
  }
}

}  // namespace phpc::io
