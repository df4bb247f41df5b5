#include "phpc/io/npz_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "io/arrays/npz_array.hpp"
#include "io/matrices/credible_size.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

class NpzBatch::Array : public NpzArray {
 public:
  using NpzArray::NpzArray;
};

namespace {

/// Sets in an array of shape (sets, lengths...), or one in an array of shape (lengths...).
index_t sets_in(const NpzArray& array, const std::vector<index_t>& lengths, const char* what) {
  const std::vector<index_t>& shape = array.shape();
  const bool is_one = shape == lengths;
  PHPC_VALIDATE(is_one || (shape.size() == lengths.size() + 1 && std::equal(lengths.begin(), lengths.end(), shape.begin() + 1)),
                ErrorKind::input,
                fmt::format("'{}' is of shape ({}); give (systems, {}), {}", array.name(), fmt::join(shape, ", "),
                            fmt::join(lengths, ", "), what));
  return is_one ? 1 : shape.front();
}

void validate_size(const std::string& path, index_t rows, index_t entries) {
  // Without entries, sets of values have no bytes either: any number of them would fit into the archive.
  PHPC_VALIDATE(entries > 0 && has_credible_rows(rows, entries), ErrorKind::input,
                fmt::format("'{}': {} rows and {} entries: rows without any make a matrix singular; is it the right one?", path,
                            rows, entries));
  PHPC_VALIDATE(entries <= std::numeric_limits<std::int32_t>::max(), ErrorKind::input,
                fmt::format("'{}': {} entries, and a pattern holds less than 2^31", path, entries));
}

}  // namespace

NpzBatch::NpzBatch(const std::string& path) {
  read_pattern(path);
  values_ = std::make_unique<Array>(path, NpzArray::exists(path, "values") ? "values" : "data");
  value_sets_ = sets_in(*values_, set_shape_, set_shape_.size() == 1 ? "the entries of `indices`" : "the places of `columns`");
  if (NpzArray::exists(path, "rhs")) {
    rhs_ = std::make_unique<Array>(path, "rhs");
    std::vector<index_t> lengths{rows()};
    const std::vector<index_t>& shape = rhs_->shape();
    if (shape.size() == 3 && shape.back() > 0 && shape.back() <= std::numeric_limits<std::int32_t>::max()) {
      rhs_columns_ = shape.back();
      lengths.push_back(rhs_columns_);
    }
    rhs_sets_ = sets_in(*rhs_, lengths, "the rows of the matrix");
  }
}

NpzBatch::~NpzBatch() = default;

void NpzBatch::read_pattern(const std::string& path) {
  const std::string format = NpzArray::exists(path, "format")    ? NpzArray(path, "format").text()
                             : NpzArray::exists(path, "columns") ? "ell"
                                                                 : "csr";
  PHPC_VALIDATE(format == "ell" || format == "csr" || format == "csc" || format == "coo", ErrorKind::input,
                fmt::format("'{}' holds a matrix in format {}; save its .tocsr()", path, format));
  std::vector<std::int32_t> shape;
  if (NpzArray::exists(path, "shape")) {
    NpzArray stored(path, "shape");
    shape = stored.size() == 2 ? stored.integers() : std::vector<std::int32_t>();
    PHPC_VALIDATE(shape.size() == 2 && shape[0] == shape[1], ErrorKind::input,
                  fmt::format("'{}': a matrix of shape ({}); a linear system needs a square one", path, fmt::join(shape, ", ")));
  }
  if (format == "ell") {
    read_ell(path, shape);
  } else if (format == "coo") {
    read_coordinates(path, shape);
  } else {
    read_compressed(path, shape, format == "csc" ? Compressed::columns : Compressed::rows);
  }
  sort_columns(path);
  if (set_shape_.empty()) {
    set_shape_ = {entries()};
  }
}

void NpzBatch::read_ell(const std::string& path, const std::vector<std::int32_t>& shape) {
  PHPC_VALIDATE(NpzArray::exists(path, "columns") && NpzArray::exists(path, "values"), ErrorKind::input,
                fmt::format("'{}' is in ELL and lacks one of columns, of shape (width, rows), and values, of shape (systems, "
                            "width, rows)",
                            path));
  NpzArray stored(path, "columns");
  PHPC_VALIDATE(stored.shape().size() == 2 && stored.size() > 0, ErrorKind::input,
                fmt::format("'{}' is of shape ({}); give (width, rows)", stored.name(), fmt::join(stored.shape(), ", ")));
  const index_t row_count = stored.shape().back();
  PHPC_VALIDATE(shape.empty() || shape[0] == row_count, ErrorKind::input,
                fmt::format("'{}': a matrix of {} rows whose columns are of {}; is it one matrix's?", path,
                            shape.empty() ? 0 : shape[0], row_count));
  validate_size(path, row_count, stored.size());
  set_shape_ = stored.shape();
  column_indices_ = stored.integers(-1);  // of all places: sort_columns() takes those that are entries
  std::vector<std::int32_t> row_of(column_indices_.size());
  for (std::size_t place = 0; place < row_of.size(); ++place) {
    row_of[place] = column_indices_[place] < 0 ? -1 : static_cast<std::int32_t>(place % static_cast<std::size_t>(row_count));
  }
  order_by_rows(path, row_of, static_cast<std::int32_t>(row_count));
  PHPC_VALIDATE(!order_.empty(), ErrorKind::input, fmt::format("'{}': a matrix without entries", path));
}

void NpzBatch::read_compressed(const std::string& path, const std::vector<std::int32_t>& shape, Compressed compressed) {
  NpzArray offsets(path, "indptr");
  NpzArray columns(path, "indices");
  PHPC_VALIDATE(offsets.size() >= 2, ErrorKind::input, fmt::format("'{}': a matrix without rows", path));
  validate_size(path, offsets.size() - 1, columns.size());
  row_offsets_ = offsets.integers();
  column_indices_ = columns.integers();
  PHPC_VALIDATE(shape.empty() || shape[0] == rows(), ErrorKind::input,
                fmt::format("'{}': a matrix of {} rows whose indptr is of {}; is it one matrix's?", path,
                            shape.empty() ? 0 : shape[0], rows()));
  const bool ascends = std::is_sorted(row_offsets_.begin(), row_offsets_.end());
  PHPC_VALIDATE(ascends && row_offsets_.front() == 0 && row_offsets_.back() == entries(), ErrorKind::input,
                fmt::format("'{}': indptr does not ascend from 0 to the {} entries of indices", path, entries()));
  if (compressed == Compressed::columns) {
    std::vector<std::int32_t> column_of;
    column_of.reserve(column_indices_.size());
    const auto count = static_cast<std::int32_t>(rows());
    for (std::int32_t column = 0; column < count; ++column) {
      column_of.resize(static_cast<std::size_t>(row_offsets_[static_cast<std::size_t>(column) + 1]), column);
    }
    const std::vector<std::int32_t> row_of = std::exchange(column_indices_, std::move(column_of));
    order_by_rows(path, row_of, count);
  }
}

void NpzBatch::read_coordinates(const std::string& path, const std::vector<std::int32_t>& shape) {
  PHPC_VALIDATE(NpzArray::exists(path, "row") && NpzArray::exists(path, "col") && !shape.empty(), ErrorKind::input,
                fmt::format("'{}' says format coo and lacks one of row, col and shape; save the matrix's .tocsr()", path));
  const std::vector<std::int32_t> row_of = NpzArray(path, "row").integers();
  column_indices_ = NpzArray(path, "col").integers();
  PHPC_VALIDATE(row_of.size() == column_indices_.size(), ErrorKind::input,
                fmt::format("'{}': {} rows and {} columns of entries; is it one matrix's?", path, row_of.size(), entries()));
  PHPC_VALIDATE(shape[0] > 0, ErrorKind::input, fmt::format("'{}': a matrix without rows", path));
  validate_size(path, shape[0], entries());
  order_by_rows(path, row_of, shape[0]);
}

void NpzBatch::order_by_rows(const std::string& path, std::span<const std::int32_t> row_of, std::int32_t rows) {
  row_offsets_.assign(static_cast<std::size_t>(rows) + 1, 0);
  for (const std::int32_t row : row_of) {
    PHPC_VALIDATE(row < rows, ErrorKind::input, fmt::format("'{}': row {} of a matrix of {} (0-based)", path, row, rows));
    if (row >= 0) {
      ++row_offsets_[static_cast<std::size_t>(row) + 1];
    }
  }
  std::partial_sum(row_offsets_.begin(), row_offsets_.end(), row_offsets_.begin());
  std::vector<std::int32_t> next(row_offsets_.begin(), row_offsets_.end() - 1);
  order_.resize(static_cast<std::size_t>(row_offsets_.back()));
  for (std::size_t entry = 0; entry < row_of.size(); ++entry) {
    if (row_of[entry] < 0) {
      continue;
    }
    order_[static_cast<std::size_t>(next[static_cast<std::size_t>(row_of[entry])]++)] = static_cast<std::int32_t>(entry);
  }
}

void NpzBatch::sort_columns(const std::string& path) {
  std::vector<std::int32_t> order = std::move(order_);
  order_.clear();
  if (order.empty()) {
    order.resize(column_indices_.size());
    std::iota(order.begin(), order.end(), 0);
  }
  for (std::size_t row = 0; row + 1 < row_offsets_.size(); ++row) {
    const auto first = order.begin() + row_offsets_[row];
    const auto last = order.begin() + row_offsets_[row + 1];
    const auto column = [&](std::int32_t entry) { return column_indices_[static_cast<std::size_t>(entry)]; };
    const auto before = [&](std::int32_t a, std::int32_t b) { return column(a) < column(b); };
    if (!std::is_sorted(first, last, before)) {
      std::sort(first, last, before);
    }
    for (auto entry = first; entry != last; ++entry) {
      PHPC_VALIDATE(column(*entry) < rows(), ErrorKind::input,
                    fmt::format("'{}': column {} in row {} of a matrix of {} (0-based)", path, column(*entry), row, rows()));
      PHPC_VALIDATE(entry == first || column(*entry) != column(*(entry - 1)), ErrorKind::input,
                    fmt::format("'{}': row {} lists column {} twice (0-based); call sum_duplicates() before saving", path, row,
                                column(*entry)));
    }
  }
  if (order.size() < column_indices_.size() || !std::is_sorted(order.begin(), order.end())) {
    std::vector<std::int32_t> columns;
    columns.reserve(order.size());
    for (const std::int32_t entry : order) {
      columns.push_back(column_indices_[static_cast<std::size_t>(entry)]);
    }
    column_indices_ = std::move(columns);
    order_ = std::move(order);
  }
}

bool NpzBatch::has_complex_values() const {
  return values_->words() == 2;
}

bool NpzBatch::has_complex_rhs() const {
  return rhs_ != nullptr && rhs_->words() == 2;
}

void NpzBatch::read_values(index_t first, std::span<double> values) {
  const auto size =
      static_cast<std::size_t>(std::accumulate(set_shape_.begin(), set_shape_.end(), index_t{1}, std::multiplies<index_t>()));
  if (order_.empty()) {
    values_->read(first * static_cast<index_t>(size), values);
    return;
  }
  const auto words = static_cast<std::size_t>(values_->words());
  constexpr std::size_t block_values = 1U << 18U;
  const std::size_t sets = values.size() / words / order_.size();
  const std::size_t most = std::max<std::size_t>(block_values / size, 1);
  std::vector<double> block;
  auto next = values.begin();
  for (std::size_t done = 0; done < sets; done += most) {
    block.resize(std::min(most, sets - done) * size * words);
    values_->read((first + static_cast<index_t>(done)) * static_cast<index_t>(size), block);
    for (std::size_t set = 0; set < block.size(); set += size * words) {
      for (const std::int32_t place : order_) {
        const auto from = block.begin() + static_cast<std::ptrdiff_t>(set + static_cast<std::size_t>(place) * words);
        next = std::copy_n(from, words, next);
      }
    }
  }
}

void NpzBatch::read_rhs(index_t first, std::span<double> rhs) {
  PHPC_VALIDATE(rhs_ != nullptr, ErrorKind::usage, "an archive without rhs was asked for right-hand sides");
  rhs_->read(first * rows() * rhs_columns_, rhs);
}

}  // namespace phpc::io
