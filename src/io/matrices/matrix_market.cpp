#include "phpc/io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <string_view>
#include <tuple>
#include <utility>

#include "io/matrices/credible_size.hpp"
#include "io/matrices/market_reader.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::io {

namespace {

constexpr index_t size_limit = std::numeric_limits<std::int32_t>::max();

using Reader = MarketReader;
using Field = MarketReader::Field;
enum class Layout { coordinate, array };
enum class Symmetry { general, symmetric, skew, hermitian };

struct Header {
  Layout layout;
  Field field;
  Symmetry symmetry;
};

/// One entry of the file, 0-based.
struct Entry {
  std::int32_t row;
  std::int32_t column;
  Complex<double> value;
};

/// What is read from a file before it is put in order.
struct Entries {
  index_t rows;
  index_t columns;
  Layout layout;
  bool is_complex;
  std::vector<Entry> list;
};

Header read_header(Reader& reader) {
  if (!reader.next_raw_line()) {
    reader.fail_here("the file is empty; a MatrixMarket file starts with '%%MatrixMarket matrix ...'");
  }
  const std::string lowered = lower_case(reader.line());
  const std::vector<std::string_view> words = split_blanks(lowered);
  if (words.empty() || words[0] != "%%matrixmarket") {
    reader.fail_here("no MatrixMarket header ('%%MatrixMarket matrix coordinate real general' or the like)");
  }
  if (words.size() != 5 || words[1] != "matrix") {
    reader.fail_here("the header is not '%%MatrixMarket matrix <coordinate|array> <field> <symmetry>'");
  }
  Header header{};
  if (words[2] != "coordinate" && words[2] != "array") {
    reader.fail_here(fmt::format("'{}' is no layout; coordinate and array are read", words[2]));
  }
  header.layout = words[2] == "array" ? Layout::array : Layout::coordinate;
  if (words[3] == "real" || words[3] == "double") {
    header.field = Field::real;
  } else if (words[3] == "integer") {
    header.field = Field::integer;
  } else if (words[3] == "complex") {
    header.field = Field::complex;
  } else if (words[3] == "pattern" && header.layout == Layout::coordinate) {
    header.field = Field::pattern;
  } else {
    reader.fail_here(
        fmt::format("field '{}' is not read here; real, integer, complex and (with coordinate) pattern are", words[3]));
  }
  if (words[4] == "general") {
    header.symmetry = Symmetry::general;
  } else if (words[4] == "symmetric") {
    header.symmetry = Symmetry::symmetric;
  } else if (words[4] == "skew-symmetric" && header.field != Field::pattern) {
    header.symmetry = Symmetry::skew;
  } else if (words[4] == "hermitian" && header.field == Field::complex) {
    header.symmetry = Symmetry::hermitian;
  } else {
    reader.fail_here(fmt::format(
        "symmetry '{}' is not read here; general, symmetric, skew-symmetric (of numbers) and hermitian (of complex ones) are",
        words[4]));
  }
  return header;
}

index_t read_size(Reader& reader, const char* what) {
  const index_t size = reader.integer(what);
  if (size < 0 || size > size_limit) {
    reader.fail_here(fmt::format("{} {} is outside 0 ... {}", what, size, size_limit));
  }
  return size;
}

/// Appends an entry and, for symmetric files, its mirror image.
void append(std::vector<Entry>& list, Symmetry symmetry, Entry entry) {
  list.push_back(entry);
  if (symmetry != Symmetry::general && entry.row != entry.column) {
    list.push_back({entry.column, entry.row,
                    symmetry == Symmetry::skew        ? -entry.value
                    : symmetry == Symmetry::hermitian ? conj(entry.value)
                                                      : entry.value});
  }
}

void expect_real_diagonal(const Reader& reader, const Header& header, index_t row, index_t column, Complex<double> value) {
  if (header.symmetry == Symmetry::hermitian && row == column && value.im != 0) {
    reader.fail_here("a diagonal element with an imaginary part, in a file that says it is Hermitian");
  }
}

void read_coordinates(Reader& reader, const Header& header, index_t declared, Entries& entries) {
  for (index_t taken = 0; taken < declared; ++taken) {
    if (!reader.next_line()) {
      reader.fail_here(fmt::format("the file ends after {} of the {} entries declared", taken, declared));
    }
    const index_t row = reader.integer("row");
    const index_t column = reader.integer("column");
    const Complex<double> value = reader.value(header.field);
    reader.expect_end_of_line();
    if (row < 1 || row > entries.rows || column < 1 || column > entries.columns) {
      reader.fail_here(fmt::format("entry ({}, {}) is outside the {} x {} matrix (indices start at 1)", row, column, entries.rows,
                                   entries.columns));
    }
    if (header.symmetry != Symmetry::general && row < column) {
      reader.fail_here(
          fmt::format("entry ({}, {}) is above the diagonal; a symmetric file lists the lower triangle", row, column));
    }
    if (header.symmetry == Symmetry::skew && row == column) {
      reader.fail_here(fmt::format("entry ({}, {}) is on the diagonal, which is zero in a skew-symmetric matrix", row, column));
    }
    expect_real_diagonal(reader, header, row, column, value);
    append(entries.list, header.symmetry, {static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(column - 1), value});
  }
}

void read_array(Reader& reader, const Header& header, index_t declared, Entries& entries) {
  index_t taken = 0;
  for (index_t column = 0; column < entries.columns; ++column) {
    const index_t first = header.symmetry == Symmetry::general ? 0 : header.symmetry == Symmetry::skew ? column + 1 : column;
    for (index_t row = first; row < entries.rows; ++row) {
      if (!reader.next_line()) {
        reader.fail_here(fmt::format("the file ends after {} of the {} values expected", taken, declared));
      }
      const Complex<double> value = reader.value(header.field);
      expect_real_diagonal(reader, header, row, column, value);
      reader.expect_end_of_line();
      append(entries.list, header.symmetry, {static_cast<std::int32_t>(row), static_cast<std::int32_t>(column), value});
      ++taken;
    }
  }
}

/// Values that an array file lists.
index_t array_length(Symmetry symmetry, index_t rows, index_t columns) {
  switch (symmetry) {
    case Symmetry::symmetric:
    case Symmetry::hermitian:
      return rows * (rows + 1) / 2;
    case Symmetry::skew:
      return rows * (rows - 1) / 2;
    case Symmetry::general:
      break;
  }
  return rows * columns;
}

/// What a file declares; `entries` counts the mirror images of a symmetric one.
struct Size {
  index_t rows;
  index_t columns;
  index_t entries;
};

/// `check_size` sees the size before memory is taken for it.
Entries read_entries(const std::string& path, const std::function<void(const Reader&, const Size&)>& check_size) {
  Reader reader(path);
  const Header header = read_header(reader);
  if (!reader.next_line()) {
    reader.fail_here("the file ends before its size line");
  }
  Entries entries{};
  entries.layout = header.layout;
  entries.is_complex = header.field == Field::complex;
  entries.rows = read_size(reader, "number of rows");
  entries.columns = read_size(reader, "number of columns");
  const index_t declared = header.layout == Layout::coordinate ? read_size(reader, "number of entries")
                                                               : array_length(header.symmetry, entries.rows, entries.columns);
  reader.expect_end_of_line();
  if (header.symmetry != Symmetry::general && entries.rows != entries.columns) {
    reader.fail_here(fmt::format("a symmetric matrix of {} x {}", entries.rows, entries.columns));
  }
  // An entry takes two bytes at least; a wrong count must not ask for the memory first.
  if (declared > static_cast<index_t>(reader.bytes() / 2)) {
    reader.fail_here(
        fmt::format("{} entries declared, more than a file of {} bytes can hold (is it cut short?)", declared, reader.bytes()));
  }
  const index_t most = header.symmetry == Symmetry::general ? declared : 2 * declared;
  if (most > size_limit) {
    reader.fail_here(fmt::format("{} entries; at most {} are read", most, size_limit));
  }
  check_size(reader, {entries.rows, entries.columns, most});
  entries.list.reserve(static_cast<std::size_t>(most));
  header.layout == Layout::coordinate ? read_coordinates(reader, header, declared, entries)
                                      : read_array(reader, header, declared, entries);
  reader.expect_end_of_file(declared);
  return entries;
}

/// Puts the list in order of row, then column. Entries of one place go by value, so that their sum does not depend on the file's
/// order. Files list whole columns or rows as a rule: counting by row leaves their rows in order.
void sort_by_row(Entries& entries) {
  std::vector<std::size_t> next(static_cast<std::size_t>(entries.rows) + 1, 0);
  for (const Entry& entry : entries.list) {
    ++next[static_cast<std::size_t>(entry.row) + 1];
  }
  for (std::size_t row = 1; row < next.size(); ++row) {
    next[row] += next[row - 1];
  }
  const std::vector<std::size_t> starts = next;
  std::vector<Entry> sorted(entries.list.size());
  for (const Entry& entry : entries.list) {
    sorted[next[static_cast<std::size_t>(entry.row)]++] = entry;
  }
  const auto before = [](const Entry& a, const Entry& b) {
    return std::tie(a.column, a.value.re, a.value.im) < std::tie(b.column, b.value.re, b.value.im);
  };
  for (std::size_t row = 0; row + 1 < starts.size(); ++row) {
    const auto first = sorted.begin() + static_cast<index_t>(starts[row]);
    const auto last = sorted.begin() + static_cast<index_t>(starts[row + 1]);
    if (!std::is_sorted(first, last, before)) {
      std::sort(first, last, before);
    }
  }
  entries.list = std::move(sorted);
}

/// A number's one or two values.
void add(Complex<double> number, std::size_t words, double* values) {
  values[0] += number.re;
  if (words == 2) {
    values[1] += number.im;
  }
}

}  // namespace

CsrMatrix read_matrix_market(const std::string& path) {
  Entries entries = read_entries(path, [](const Reader& reader, const Size& size) {
    if (!has_credible_rows(size.rows, size.entries)) {
      reader.fail_here(
          fmt::format("{} rows and {} entries: rows without any make a matrix singular (is the number of rows right?)", size.rows,
                      size.entries));
    }
  });
  sort_by_row(entries);
  CsrMatrix matrix;
  matrix.rows = entries.rows;
  matrix.columns = entries.columns;
  matrix.row_offsets.assign(static_cast<std::size_t>(entries.rows) + 1, 0);
  matrix.column_indices.reserve(entries.list.size());
  matrix.is_complex = entries.is_complex;
  const std::size_t words = entries.is_complex ? 2 : 1;
  matrix.values.reserve(entries.list.size() * words);
  const Entry* previous = nullptr;
  for (const Entry& entry : entries.list) {
    if (previous != nullptr && previous->row == entry.row && previous->column == entry.column) {
      double* const value = matrix.values.data() + (matrix.values.size() - words);
      add(entry.value, words, value);
      PHPC_VALIDATE(std::isfinite(value[0]) && std::isfinite(value[words - 1]), ErrorKind::input,
                    fmt::format("{}: the sum of the entries ({}, {}) is not finite", path, entry.row + 1, entry.column + 1));
    } else {
      matrix.column_indices.push_back(entry.column);
      matrix.values.push_back(entry.value.re);
      if (entries.is_complex) {
        matrix.values.push_back(entry.value.im);
      }
      ++matrix.row_offsets[static_cast<std::size_t>(entry.row) + 1];
    }
    previous = &entry;
  }
  for (std::size_t row = 1; row < matrix.row_offsets.size(); ++row) {
    matrix.row_offsets[row] += matrix.row_offsets[row - 1];
  }
  return matrix;
}

MarketVectors read_matrix_market_vectors(const std::string& path, index_t rows) {
  const Entries entries = read_entries(path, [rows](const Reader& reader, const Size& size) {
    if (size.columns == 0) {
      reader.fail_here("no column; vectors are columns");
    }
    if (size.rows != rows) {
      reader.fail_here(fmt::format("a vector of {} values for a matrix of {} rows", size.rows, rows));
    }
    if (size.columns > std::max<index_t>(1, size.entries)) {
      reader.fail_here(fmt::format("{} columns and {} entries: some columns have none (is the number of columns right?)",
                                   size.columns, size.entries));
    }
  });
  const std::size_t words = entries.is_complex ? 2 : 1;
  const index_t numbers = entries.rows * entries.columns;
  MarketVectors vectors{entries.columns, std::vector<double>(static_cast<std::size_t>(numbers) * words, 0.0), entries.is_complex};
  for (const Entry& entry : entries.list) {
    add(entry.value, words, vectors.values.data() + static_cast<std::size_t>(entry.column * entries.rows + entry.row) * words);
  }
  return vectors;
}

}  // namespace phpc::io
