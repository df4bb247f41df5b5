#include "io/arrays/npz_array.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "io/arrays/array_source.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

constexpr std::size_t block_elements = std::size_t{1} << 16;

/// Bytes ("|S3") and characters of four bytes each ("<U3").
bool is_text(const std::string& descr) {
  return descr.size() > 2 && (descr[1] == 'S' || descr[1] == 'U');
}

}  // namespace

NpzArray::NpzArray(const std::string& archive, const std::string& name)
    : entry_(archive, name + ".npy"),
      header_(read_npy_header([this](std::span<std::byte> bytes) { return entry_.read(bytes); }, entry_.name())) {
  begin_ = entry_.position();
  if (!is_text(header_.descr)) {
    type_ = npy_stored_type(header_.descr, entry_.name());
  }
  size_ = checked_size(header_.shape, std::max<std::size_t>(item_bytes(), static_cast<std::size_t>(words()) * sizeof(double)));
  const std::uint64_t bytes = static_cast<std::uint64_t>(size_) * item_bytes();
  PHPC_VALIDATE(entry_.size() - begin_ == bytes, ErrorKind::input,
                fmt::format("'{}' holds {} bytes where its shape ({}) asks for {}; write it again with numpy.savez",
                            entry_.name(), entry_.size() - begin_, fmt::join(header_.shape, ", "), bytes));
}

std::size_t NpzArray::item_bytes() const {
  if (type_) {
    return type_->item_bytes();
  }
  const index_t letters = parse_integer(std::string_view(header_.descr).substr(2)).value_or(0);
  return static_cast<std::size_t>(std::clamp<index_t>(letters, 0, 64)) * (header_.descr[1] == 'U' ? 4 : 1);
}

void NpzArray::read(index_t first, std::span<double> elements) {
  PHPC_VALIDATE(type_.has_value(), ErrorKind::input, fmt::format("'{}' holds text; give numbers", entry_.name()));
  PHPC_VALIDATE(!header_.fortran_order || header_.shape.size() < 2 || size_ == 0, ErrorKind::input,
                fmt::format("'{}' is in Fortran order; save numpy.ascontiguousarray of it", entry_.name()));
  const auto words_each = static_cast<std::size_t>(words());
  PHPC_EXPECT(first >= 0 && first + static_cast<index_t>(elements.size() / words_each) <= size_);
  const std::size_t item = item_bytes();
  entry_.seek(begin_ + static_cast<std::uint64_t>(first) * item);
  std::vector<float> narrow;
  for (std::size_t done = 0; done < elements.size(); done += block_elements) {
    const std::span<double> block = elements.subspan(done, std::min(block_elements, elements.size() - done));
    stored_.resize(block.size() / words_each * item);
    entry_.read(stored_);
    if (type_->type == NpyType::float32 || type_->type == NpyType::complex64) {
      narrow.resize(block.size());
      convert(*type_, stored_, std::as_writable_bytes(std::span(narrow)));
      std::copy(narrow.begin(), narrow.end(), block.begin());
    } else {
      convert(*type_, stored_, std::as_writable_bytes(block));
    }
  }
}

std::vector<std::int32_t> NpzArray::integers(std::int32_t least) {
  constexpr double limit = std::numeric_limits<std::int32_t>::max();
  PHPC_VALIDATE(words() == 1, ErrorKind::input,
                fmt::format("'{}' holds complex numbers, where integers are expected", entry_.name()));
  std::vector<std::int32_t> all;
  std::vector<double> block;
  while (static_cast<index_t>(all.size()) < size_) {
    const auto done = static_cast<index_t>(all.size());
    block.resize(std::min(block_elements, static_cast<std::size_t>(size_ - done)));
    read(done, block);
    for (const double value : block) {
      PHPC_VALIDATE(value >= least && value <= limit && value == std::floor(value), ErrorKind::input,
                    fmt::format("'{}' holds {}, where an integer of {} ... {} is expected", entry_.name(), value, least, limit));
      all.push_back(static_cast<std::int32_t>(value));
    }
  }
  return all;
}

std::string NpzArray::text() {
  PHPC_VALIDATE(!type_ && size_ == 1, ErrorKind::input, fmt::format("'{}' is no single text", entry_.name()));
  std::vector<std::byte> bytes(item_bytes());
  entry_.seek(begin_);
  entry_.read(bytes);
  std::string letters;
  for (const std::byte byte : bytes) {
    if (byte != std::byte{0}) {
      letters += static_cast<char>(byte);
    }
  }
  return letters;
}

}  // namespace phpc::io
