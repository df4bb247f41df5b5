#include "phpc/batch/formats.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "phpc/core/error.hpp"

namespace phpc::batch {

namespace {

constexpr index_t most_rows = std::numeric_limits<std::int32_t>::max();
constexpr index_t most_dense_values = index_t{1} << 40;

constexpr std::size_t at(index_t place) {
  return static_cast<std::size_t>(place);
}

/// Throws Error(input) unless there are rows, and `values` values are whole sets of `size` each.
void validate_sizes(index_t rows, index_t size, std::size_t values) {
  PHPC_VALIDATE(rows >= 1 && rows <= most_rows, ErrorKind::input,
                "a batch of matrices of " + std::to_string(rows) + " rows; give 1 ... " + std::to_string(most_rows));
  PHPC_VALIDATE(size >= 1 && values % at(size) == 0, ErrorKind::input,
                std::to_string(values) + " values; give a multiple of " + std::to_string(size) + ", the values of a matrix");
}

/// Makes a CSR pattern of entries added row by row, and remembers where each one's value is in a set of the source.
struct PatternMaker {
  CsrPattern pattern{{0}, {}};
  std::vector<index_t> sources;

  void add(index_t column, index_t source) {
    pattern.columns.push_back(static_cast<std::int32_t>(column));
    sources.push_back(source);
  }
  void end_row() {
    PHPC_VALIDATE(static_cast<index_t>(pattern.columns.size()) <= most_rows, ErrorKind::input,
                  "a matrix of more than " + std::to_string(most_rows) + " entries; drop zeros, or give smaller ones");
    pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
  }

  /// The batch of the pattern whose values are taken from `values`, sets of `size` each.
  template <class T>
  CsrBatch<T> batch(const std::vector<T>& values, index_t size) && {
    const index_t sets = static_cast<index_t>(values.size()) / size;
    std::vector<T> taken;
    taken.reserve(at(sets) * sources.size());
    for (index_t set = 0; set < sets; ++set) {
      for (const index_t source : sources) {
        taken.push_back(values[at(set * size + source)]);
      }
    }
    return CsrBatch<T>(std::move(pattern), std::move(taken), sets);
  }
};

/// Calls visit(row, column, entry) for every entry of a pattern.
template <class Visit>
void for_each_entry(const CsrPattern& pattern, Visit visit) {
  for (index_t row = 0; row < pattern.rows(); ++row) {
    for (index_t entry = pattern.row_offsets[at(row)]; entry < pattern.row_offsets[at(row) + 1]; ++entry) {
      visit(row, index_t{pattern.columns[at(entry)]}, entry);
    }
  }
}

/// The values of a batch in sets of `size`: that of entry e at places[e], zeros elsewhere.
template <class T>
std::vector<T> scattered(const CsrBatch<T>& batch, index_t size, const std::vector<index_t>& places) {
  std::vector<T> values(at(batch.value_sets() * size), T{0});
  for (index_t set = 0; set < batch.value_sets(); ++set) {
    for (std::size_t entry = 0; entry < places.size(); ++entry) {
      values[at(set * size + places[entry])] = batch.values()[at(set * batch.entries()) + entry];
    }
  }
  return values;
}

}  // namespace

template <class T>
CsrBatch<T> to_csr(const DenseBatch<T>& batch, Zeros zeros) {
  validate_sizes(batch.rows, batch.rows * batch.rows, batch.values.size());
  const index_t size = batch.rows * batch.rows;
  std::vector<bool> wanted(at(size), zeros == Zeros::kept);
  if (zeros == Zeros::dropped) {
    for (std::size_t place = 0; place < batch.values.size(); ++place) {
      if (batch.values[place] != T{0}) {
        wanted[place % at(size)] = true;
      }
    }
  }
  PatternMaker maker;
  for (index_t row = 0; row < batch.rows; ++row) {
    for (index_t column = 0; column < batch.rows; ++column) {
      if (wanted[at(row * batch.rows + column)]) {
        maker.add(column, row * batch.rows + column);
      }
    }
    maker.end_row();
  }
  return std::move(maker).batch(batch.values, size);
}

template <class T>
CsrBatch<T> to_csr(const EllBatch<T>& batch) {
  validate_sizes(batch.rows, batch.rows * batch.width, batch.values.size());
  PHPC_VALIDATE(static_cast<index_t>(batch.columns.size()) == batch.rows * batch.width, ErrorKind::input,
                std::to_string(batch.columns.size()) + " columns of an ELL matrix; give " + std::to_string(batch.width) +
                    " for each of " + std::to_string(batch.rows) + " rows");
  PatternMaker maker;
  for (index_t row = 0; row < batch.rows; ++row) {
    bool ended = false;
    for (index_t k = 0; k < batch.width; ++k) {
      const std::int32_t column = batch.columns[at(k * batch.rows + row)];
      if (column == EllBatch<T>::no_column) {
        ended = true;
        continue;
      }
      PHPC_VALIDATE(!ended, ErrorKind::input,
                    "an entry after the end of row " + std::to_string(row) + " of an ELL matrix; put no_column last");
      maker.add(column, k * batch.rows + row);
    }
    maker.end_row();
  }
  return std::move(maker).batch(batch.values, batch.rows * batch.width);
}

template <class T>
CsrBatch<T> to_csr(const BandBatch<T>& batch) {
  PHPC_VALIDATE(batch.lower >= 0 && batch.upper >= 0 && batch.lower <= most_rows && batch.upper <= most_rows, ErrorKind::input,
                "a band of " + std::to_string(batch.lower) + " diagonals below and " + std::to_string(batch.upper) +
                    " above the main one; give 0 or more");
  validate_sizes(batch.rows, batch.rows * batch.diagonals(), batch.values.size());
  PatternMaker maker;
  for (index_t row = 0; row < batch.rows; ++row) {
    const index_t last = std::min(batch.rows - 1, row + batch.upper);
    for (index_t column = std::max<index_t>(0, row - batch.lower); column <= last; ++column) {
      maker.add(column, (batch.upper + row - column) * batch.rows + column);
    }
    maker.end_row();
  }
  return std::move(maker).batch(batch.values, batch.rows * batch.diagonals());
}

template <class T>
DenseBatch<T> to_dense(const CsrBatch<T>& batch) {
  const index_t rows = batch.rows();
  PHPC_VALIDATE(
      rows * rows <= most_dense_values / std::max<index_t>(1, batch.value_sets()), ErrorKind::memory,
      std::to_string(batch.value_sets()) + " dense matrices of " + std::to_string(rows) + " rows; keep such ones sparse");
  std::vector<index_t> places;
  for_each_entry(batch.pattern(), [&](index_t row, index_t column, index_t /*entry*/) { places.push_back(row * rows + column); });
  return {rows, scattered(batch, rows * rows, places)};
}

template <class T>
EllBatch<T> to_ell(const CsrBatch<T>& batch) {
  const CsrPattern& pattern = batch.pattern();
  const index_t rows = batch.rows();
  EllBatch<T> ell{.rows = rows, .width = 1, .columns = {}, .values = {}};  // one column at least, so that zeros are matrices
  for (index_t row = 0; row < rows; ++row) {
    ell.width = std::max<index_t>(ell.width, pattern.row_offsets[at(row) + 1] - pattern.row_offsets[at(row)]);
  }
  ell.columns.assign(at(rows * ell.width), EllBatch<T>::no_column);
  std::vector<index_t> places;
  for_each_entry(pattern, [&](index_t row, index_t column, index_t entry) {
    places.push_back((entry - pattern.row_offsets[at(row)]) * rows + row);
    ell.columns[at(places.back())] = static_cast<std::int32_t>(column);
  });
  ell.values = scattered(batch, rows * ell.width, places);
  return ell;
}

template <class T>
BandBatch<T> to_band(const CsrBatch<T>& batch) {
  index_t lower = 0;
  index_t upper = 0;
  for_each_entry(batch.pattern(), [&](index_t row, index_t column, index_t /*entry*/) {
    lower = std::max(lower, row - column);
    upper = std::max(upper, column - row);
  });
  return to_band(batch, lower, upper);
}

template <class T>
BandBatch<T> to_band(const CsrBatch<T>& batch, index_t lower, index_t upper) {
  const index_t rows = batch.rows();
  PHPC_VALIDATE(lower >= 0 && upper >= 0 && lower <= most_rows && upper <= most_rows, ErrorKind::input,
                "a band of " + std::to_string(lower) + " diagonals below and " + std::to_string(upper) +
                    " above the main one; give 0 or more");
  BandBatch<T> band{.rows = rows, .lower = lower, .upper = upper, .values = {}};
  std::vector<index_t> places;
  for_each_entry(batch.pattern(), [&](index_t row, index_t column, index_t /*entry*/) {
    PHPC_VALIDATE(row - column <= lower && column - row <= upper, ErrorKind::input,
                  "an entry in row " + std::to_string(row) + ", column " + std::to_string(column) +
                      " (0-based) outside a band of " + std::to_string(lower) + " diagonals below and " + std::to_string(upper) +
                      " above the main one; widen the band");
    places.push_back((upper + row - column) * rows + column);
  });
  band.values = scattered(batch, rows * band.diagonals(), places);
  return band;
}

template <class T>
BandBatch<T> tridiagonal_batch(index_t rows, std::span<const T> lower, std::span<const T> middle, std::span<const T> upper) {
  validate_sizes(rows, rows, middle.size());
  PHPC_VALIDATE(lower.size() == middle.size() && upper.size() == middle.size(), ErrorKind::input,
                "diagonals of " + std::to_string(lower.size()) + ", " + std::to_string(middle.size()) + " and " +
                    std::to_string(upper.size()) + " values; give as many of each, the unused ones at the ends too");
  BandBatch<T> band{.rows = rows, .lower = 1, .upper = 1, .values = std::vector<T>(3 * middle.size(), T{0})};
  for (std::size_t place = 0; place < middle.size(); ++place) {
    const std::size_t row = place % at(rows);
    const std::size_t diagonals = place / at(rows) * 3 * at(rows);
    band.values[diagonals + at(rows) + row] = middle[place];
    if (row > 0) {
      band.values[diagonals + 2 * at(rows) + row - 1] = lower[place];
    }
    if (row + 1 < at(rows)) {
      band.values[diagonals + row + 1] = upper[place];
    }
  }
  return band;
}

template CsrBatch<float> to_csr(const DenseBatch<float>&, Zeros);
template CsrBatch<float> to_csr(const EllBatch<float>&);
template CsrBatch<float> to_csr(const BandBatch<float>&);
template DenseBatch<float> to_dense(const CsrBatch<float>&);
template EllBatch<float> to_ell(const CsrBatch<float>&);
template BandBatch<float> to_band(const CsrBatch<float>&);
template BandBatch<float> to_band(const CsrBatch<float>&, index_t, index_t);
template BandBatch<float> tridiagonal_batch(index_t, std::span<const float>, std::span<const float>, std::span<const float>);
template CsrBatch<double> to_csr(const DenseBatch<double>&, Zeros);
template CsrBatch<double> to_csr(const EllBatch<double>&);
template CsrBatch<double> to_csr(const BandBatch<double>&);
template DenseBatch<double> to_dense(const CsrBatch<double>&);
template EllBatch<double> to_ell(const CsrBatch<double>&);
template BandBatch<double> to_band(const CsrBatch<double>&);
template BandBatch<double> to_band(const CsrBatch<double>&, index_t, index_t);
template BandBatch<double> tridiagonal_batch(index_t, std::span<const double>, std::span<const double>, std::span<const double>);

}  // namespace phpc::batch
