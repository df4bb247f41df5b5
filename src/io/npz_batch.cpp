#include "phpc/io/npz_batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "io/credible_size.hpp"
#include "io/npz_array.hpp"
#include "phpc/core/error.hpp"

namespace phpc::io {

class NpzBatch::Array : public NpzArray {
 public:
  using NpzArray::NpzArray;
};

namespace {

/// Sets in an array of shape (sets, length), or one in an array of shape (length).
index_t sets_in(const NpzArray& array, index_t length, const char* what) {
  const std::vector<index_t>& shape = array.shape();
  PHPC_VALIDATE((shape.size() == 1 || shape.size() == 2) && shape.back() == length, ErrorKind::input,
                fmt::format("'{}' is of shape ({}); give (systems, {}), {}", array.name(), fmt::join(shape, ", "), length, what));
  return shape.size() == 1 ? 1 : shape.front();
}

}  // namespace

NpzBatch::NpzBatch(const std::string& path) {
  read_pattern(path);
  values_ = std::make_unique<Array>(path, NpzArray::exists(path, "values") ? "values" : "data");
  value_sets_ = sets_in(*values_, entries(), "the entries of `indices`");
  if (NpzArray::exists(path, "rhs")) {
    rhs_ = std::make_unique<Array>(path, "rhs");
    rhs_sets_ = sets_in(*rhs_, rows(), "the rows of the matrix");
  }
}

NpzBatch::~NpzBatch() = default;

void NpzBatch::read_pattern(const std::string& path) {
  if (NpzArray::exists(path, "format")) {
    const std::string format = NpzArray(path, "format").text();
    PHPC_VALIDATE(format == "csr", ErrorKind::input,
                  fmt::format("'{}' holds a matrix in format {}; save its .tocsr()", path, format));
  }
  NpzArray offsets(path, "indptr");
  NpzArray columns(path, "indices");
  PHPC_VALIDATE(offsets.size() >= 2, ErrorKind::input, fmt::format("'{}': a matrix without rows", path));
  // Without entries, sets of values have no bytes either: any number of them would fit into the archive.
  PHPC_VALIDATE(columns.size() > 0 && has_credible_rows(offsets.size() - 1, columns.size()), ErrorKind::input,
                fmt::format("'{}': {} rows and {} entries: rows without any make a matrix singular; is it the right one?", path,
                            offsets.size() - 1, columns.size()));
  row_offsets_ = offsets.integers();
  column_indices_ = columns.integers();
  if (NpzArray::exists(path, "shape")) {
    NpzArray stored(path, "shape");
    const std::vector<std::int32_t> shape = stored.size() == 2 ? stored.integers() : std::vector<std::int32_t>();
    PHPC_VALIDATE(shape.size() == 2 && shape[0] == shape[1], ErrorKind::input,
                  fmt::format("'{}': a matrix of shape ({}); a linear system needs a square one", path, fmt::join(shape, ", ")));
    PHPC_VALIDATE(shape[0] == rows(), ErrorKind::input,
                  fmt::format("'{}': a matrix of {} rows whose indptr is of {}; is it one matrix's?", path, shape[0], rows()));
  }
  const bool ascends = std::is_sorted(row_offsets_.begin(), row_offsets_.end());
  PHPC_VALIDATE(ascends && row_offsets_.front() == 0 && row_offsets_.back() == entries(), ErrorKind::input,
                fmt::format("'{}': indptr does not ascend from 0 to the {} entries of indices", path, entries()));
  sort_columns(path);
}

void NpzBatch::sort_columns(const std::string& path) {
  std::vector<std::int32_t> order(column_indices_.size());
  std::iota(order.begin(), order.end(), 0);
  bool sorted = true;
  for (std::size_t row = 0; row + 1 < row_offsets_.size(); ++row) {
    const auto first = order.begin() + row_offsets_[row];
    const auto last = order.begin() + row_offsets_[row + 1];
    const auto column = [&](std::int32_t entry) { return column_indices_[static_cast<std::size_t>(entry)]; };
    const auto before = [&](std::int32_t a, std::int32_t b) { return column(a) < column(b); };
    if (!std::is_sorted(first, last, before)) {
      std::sort(first, last, before);
      sorted = false;
    }
    for (auto entry = first; entry != last; ++entry) {
      PHPC_VALIDATE(column(*entry) < rows(), ErrorKind::input,
                    fmt::format("'{}': column {} in row {} of a matrix of {} (0-based)", path, column(*entry), row, rows()));
      PHPC_VALIDATE(entry == first || column(*entry) != column(*(entry - 1)), ErrorKind::input,
                    fmt::format("'{}': row {} lists column {} twice (0-based); call sum_duplicates() before saving", path, row,
                                column(*entry)));
    }
  }
  if (!sorted) {
    std::vector<std::int32_t> columns;
    columns.reserve(order.size());
    for (const std::int32_t entry : order) {
      columns.push_back(column_indices_[static_cast<std::size_t>(entry)]);
    }
    column_indices_ = std::move(columns);
    order_ = std::move(order);
  }
}

void NpzBatch::read_values(index_t first, std::span<double> values) {
  values_->read(first * entries(), values);
  if (order_.empty()) {
    return;
  }
  std::vector<double> set(order_.size());
  for (std::size_t begin = 0; begin < values.size(); begin += set.size()) {
    const std::span<double> own = values.subspan(begin, set.size());
    std::copy(own.begin(), own.end(), set.begin());
    for (std::size_t entry = 0; entry < set.size(); ++entry) {
      own[entry] = set[static_cast<std::size_t>(order_[entry])];
    }
  }
}

void NpzBatch::read_rhs(index_t first, std::span<double> rhs) {
  PHPC_VALIDATE(rhs_ != nullptr, ErrorKind::usage, "an archive without rhs was asked for right-hand sides");
  rhs_->read(first * rows(), rhs);
}

}  // namespace phpc::io
