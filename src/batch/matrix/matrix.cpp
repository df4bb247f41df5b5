#include "phpc/batch/matrix.hpp"

#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "phpc/core/error.hpp"

namespace phpc::batch {

void CsrPattern::validate() const {
  constexpr index_t limit = std::numeric_limits<std::int32_t>::max();
  PHPC_VALIDATE(rows() >= 1, ErrorKind::input, "a matrix without rows; give at least one");
  PHPC_VALIDATE(rows() <= limit && entries() <= limit, ErrorKind::input,
                "a matrix of " + std::to_string(rows()) + " rows and " + std::to_string(entries()) + " entries; both end at " +
                    std::to_string(limit));
  PHPC_VALIDATE(row_offsets.front() == 0 && row_offsets.back() == entries(), ErrorKind::input,
                "row offsets run from " + std::to_string(row_offsets.front()) + " to " + std::to_string(row_offsets.back()) +
                    "; they must run from 0 to the number of entries, " + std::to_string(entries()));
  for (std::size_t row = 0; row + 1 < row_offsets.size(); ++row) {
    const std::int32_t begin = row_offsets[row];
    const std::int32_t end = row_offsets[row + 1];
    PHPC_VALIDATE(begin <= end && end <= entries(), ErrorKind::input, "row offsets descend at row " + std::to_string(row));
    std::int32_t before = -1;
    for (std::int32_t entry = begin; entry < end; ++entry) {
      const std::int32_t column = columns[static_cast<std::size_t>(entry)];
      PHPC_VALIDATE(column > before && column < rows(), ErrorKind::input,
                    "column " + std::to_string(column) + " in row " + std::to_string(row) +
                        "; columns of a row must ascend from 0 and be below the number of rows, " + std::to_string(rows()));
      before = column;
    }
  }
}

TransposedPattern transposed(const CsrPattern& pattern) {
  const auto rows = static_cast<std::size_t>(pattern.rows());
  const auto entries = static_cast<std::size_t>(pattern.entries());
  TransposedPattern result{{std::vector<std::int32_t>(rows + 1, 0), std::vector<std::int32_t>(entries)},
                           std::vector<std::int32_t>(entries)};
  std::vector<std::int32_t>& offsets = result.pattern.row_offsets;
  for (const std::int32_t column : pattern.columns) {
    ++offsets[static_cast<std::size_t>(column) + 1];
  }
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  std::vector<std::int32_t> next(offsets.begin(), offsets.end() - 1);
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::int32_t entry = pattern.row_offsets[row]; entry < pattern.row_offsets[row + 1]; ++entry) {
      const auto column = static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(entry)]);
      const auto place = static_cast<std::size_t>(next[column]++);
      result.pattern.columns[place] = static_cast<std::int32_t>(row);
      result.order[place] = entry;
    }
  }
  return result;
}

namespace {

/// The number of whole sets among `values` values; 0 for a pattern without entries.
index_t sets_in(const CsrPattern& pattern, std::size_t values) {
  return pattern.entries() > 0 ? static_cast<index_t>(values) / pattern.entries() : 0;
}

}  // namespace

template <class T>
CsrBatch<T>::CsrBatch(CsrPattern pattern, std::vector<T> values, index_t systems)
    : pattern_(std::move(pattern)),
      values_(std::move(values)),
      value_sets_(sets_in(pattern_, values_.size())),
      systems_(systems) {
  pattern_.validate();
  if (pattern_.entries() == 0) {
    value_sets_ = 1;  // matrices of zeros
  }
  PHPC_VALIDATE(static_cast<index_t>(values_.size()) == value_sets_ * pattern_.entries(), ErrorKind::input,
                std::to_string(values_.size()) + " values; give a multiple of the pattern's " +
                    std::to_string(pattern_.entries()) + " entries");
  PHPC_VALIDATE(systems_ >= 0 && (systems_ == 0 || value_sets_ > 0), ErrorKind::input,
                std::to_string(systems_) + " systems with " + std::to_string(value_sets_) + " sets of values");
}

template <class T>
CsrBatch<T>::CsrBatch(CsrPattern pattern, std::vector<T> values) : CsrBatch(std::move(pattern), std::move(values), 0) {
  systems_ = pattern_.entries() > 0 ? value_sets_ : 0;
}

template <class T>
CsrView<T> CsrBatch<T>::view(index_t begin, index_t count) const {
  return {count,
          value_sets_,
          value_sets_ > 0 ? begin % value_sets_ : 0,
          static_cast<std::int32_t>(rows()),
          static_cast<std::int32_t>(entries()),
          pattern_.row_offsets.data(),
          pattern_.columns.data(),
          values_.data()};
}

template class CsrBatch<float>;
template class CsrBatch<double>;
template class CsrBatch<Complex<float>>;
template class CsrBatch<Complex<double>>;

}  // namespace phpc::batch
