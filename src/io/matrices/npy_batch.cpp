#include "phpc/io/npy_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "phpc/core/error.hpp"
#include "phpc/io/array_reader.hpp"

namespace phpc::io {

namespace {

/// Numbers that are read at a time, and of an array that has to be gone through each time.
constexpr index_t block_numbers = index_t{1} << 18;
constexpr index_t scattered_block_numbers = index_t{1} << 24;

/// Throws where the file ends before the array does, so that no memory is taken for what is not there.
void expect_last_element(const std::string& path) {
  ArrayReader reader = open_npy(path);
  if (reader.size() > 0 && reader.is_sequential()) {
    double last[2] = {};
    reader.keep_only(reader.size() - 1, 1);
    read_numbers(reader, std::span(last).first(is_complex(reader.type()) ? 2 : 1));
  }
}

}  // namespace

NpyBatch::NpyBatch(std::string path, DenseZeros zeros) : path_(std::move(path)) {
  const ArrayReader reader = open_npy(path_);
  const std::vector<index_t>& shape = reader.shape();
  const bool is_square = (shape.size() == 2 || shape.size() == 3) && shape.back() == shape[shape.size() - 2] && shape.back() > 0;
  PHPC_VALIDATE(
      is_square, ErrorKind::input,
      fmt::format("'{}' holds {} of shape ({}); dense matrices of a batch are of shape (systems, rows, rows), of 1 row or more",
                  path_, to_string(reader.type()), fmt::join(shape, ", ")));
  words_ = io::is_complex(reader.type()) ? 2 : 1;
  rows_ = shape.back();
  systems_ = shape.size() == 3 ? shape.front() : 1;
  PHPC_VALIDATE(rows_ <= std::numeric_limits<std::int32_t>::max() / rows_, ErrorKind::input,
                fmt::format("'{}': dense matrices of {} rows have more than 2^31 elements each; give sparse ones, in a .npz file",
                            path_, rows_));
  block_ = std::max<index_t>(1, (reader.is_sequential() ? block_numbers : scattered_block_numbers) / places());
  expect_last_element(path_);
  make_pattern(systems_ > 0 && zeros == DenseZeros::dropped
                   ? find_entries()
                   : std::vector<char>(static_cast<std::size_t>(systems_ > 0 ? places() : 0), 1));
}

template <class Visit>
void NpyBatch::for_each_block(index_t first, index_t count, Visit visit) const {
  ArrayReader reader = open_npy(path_);
  reader.keep_only(first * places(), count * places());
  std::vector<double> block(static_cast<std::size_t>(std::min(block_, count) * places() * words_));
  for (index_t begin = 0; begin < count; begin += block_) {
    const std::span<double> part =
        std::span(block).first(static_cast<std::size_t>(std::min(block_, count - begin) * places() * words_));
    read_numbers(reader, part);
    if (!visit(std::span<const double>(part))) {
      return;
    }
  }
}

std::vector<char> NpyBatch::find_entries() const {
  const auto size = static_cast<std::size_t>(places());
  std::vector<char> is_entry(size, 0);
  const auto words = static_cast<std::size_t>(words_);
  for_each_block(0, systems_, [&](std::span<const double> block) {
    for (std::size_t begin = 0; begin < block.size(); begin += size * words) {
      for (std::size_t word = 0; word < size * words; ++word) {
        char& entry = is_entry[word / words];
        entry = static_cast<char>(entry | static_cast<char>(block[begin + word] != 0));  // a NaN is not
      }
    }
    return std::find(is_entry.begin(), is_entry.end(), 0) != is_entry.end();
  });
  return is_entry;
}

void NpyBatch::make_pattern(const std::vector<char>& is_entry) {
  row_offsets_.assign(1, 0);
  column_indices_.reserve(static_cast<std::size_t>(std::count(is_entry.begin(), is_entry.end(), 1)));
  for (index_t row = 0; row < rows_; ++row) {
    for (index_t column = 0; column < rows_ && !is_entry.empty(); ++column) {
      if (is_entry[static_cast<std::size_t>(row * rows_ + column)] != 0) {
        column_indices_.push_back(static_cast<std::int32_t>(column));
      }
    }
    row_offsets_.push_back(static_cast<std::int32_t>(column_indices_.size()));
  }
}

void NpyBatch::read_values(index_t first, std::span<double> values) const {
  const index_t count = entries() == 0 ? 0 : static_cast<index_t>(values.size()) / (entries() * words_);
  PHPC_EXPECT(first >= 0 && first + count <= systems_);
  auto next = values.begin();
  for_each_block(first, count, [&](std::span<const double> block) {
    for (std::size_t begin = 0; begin < block.size(); begin += static_cast<std::size_t>(places() * words_)) {
      const std::span<const double> matrix = block.subspan(begin, static_cast<std::size_t>(places() * words_));
      for (index_t row = 0; row < rows_; ++row) {
        for (index_t entry = row_offsets_[static_cast<std::size_t>(row)]; entry < row_offsets_[static_cast<std::size_t>(row) + 1];
             ++entry) {
          const index_t place = row * rows_ + column_indices_[static_cast<std::size_t>(entry)];
          next = std::copy_n(matrix.begin() + place * words_, words_, next);
        }
      }
    }
    return true;
  });
}

}  // namespace phpc::io
