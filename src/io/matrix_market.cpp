#include "phpc/io/matrix_market.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include "io/credible_size.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"
#include "phpc/io/input_file.hpp"

namespace phpc::io {

namespace {

constexpr index_t size_limit = std::numeric_limits<std::int32_t>::max();

enum class Layout { coordinate, array };
enum class Field { real, integer, pattern };
enum class Symmetry { general, symmetric, skew };

struct Header {
  Layout layout;
  Field field;
  Symmetry symmetry;
};

/// One entry of the file, 0-based.
struct Entry {
  std::int32_t row;
  std::int32_t column;
  double value;
};

/// The lines of a file that count, with their numbers for messages.
class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path), text_(InputFile(path).read_rest()), rest_(text_) {}

  [[nodiscard]] std::size_t bytes() const { return text_.size(); }

  [[noreturn]] void fail_here(const std::string& problem) const {
    fail(ErrorKind::input, fmt::format("{}:{}: {}", path_, std::max<std::size_t>(line_number_, 1), problem));
  }

  /// The next line as it stands, without its line end; false at the end of the file.
  bool next_raw_line() {
    if (rest_.empty()) {
      return false;
    }
    ++line_number_;
    const std::size_t stop = rest_.find('\n');
    line_ = rest_.substr(0, stop);
    rest_.remove_prefix(stop == std::string_view::npos ? rest_.size() : stop + 1);
    if (!line_.empty() && line_.back() == '\r') {
      line_.remove_suffix(1);
    }
    return true;
  }

  /// The next line that is neither blank nor a comment; false at the end of the file.
  bool next_line() {
    while (next_raw_line()) {
      skip_blanks();
      if (!line_.empty() && line_.front() != '%') {
        return true;
      }
    }
    return false;
  }

  [[nodiscard]] std::string_view line() const { return line_; }

  /// Takes the next word of the line as an integer; `what` names it in the message.
  index_t integer(const char* what) {
    const std::string_view word = next_word();
    const std::optional<index_t> value = parse_integer(without_plus(word));
    if (!value) {
      fail_here(word.empty() ? fmt::format("no {} where one is expected", what) : fmt::format("'{}' is no {}", word, what));
    }
    return *value;
  }

  /// Takes the next word of the line as a finite number.
  double number(Field field) {
    const std::string_view word = without_plus(next_word());
    double value = 0;
    const auto [stop, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error == std::errc::result_out_of_range && stop == word.data() + word.size()) {
      // Out of range is said of what is too small as well; strtod tells them apart.
      value = std::strtod(std::string(word).c_str(), nullptr);
      if (std::isinf(value)) {
        fail_here(fmt::format("'{}' is beyond the range of double", word));
      }
    } else if (error != std::errc{} || stop != word.data() + word.size()) {
      fail_here(word.empty() ? "no value where one is expected" : fmt::format("'{}' is no number", word));
    }
    if (!std::isfinite(value)) {
      fail_here(fmt::format("'{}' is not finite", word));
    }
    if (field == Field::integer && value != std::floor(value)) {
      fail_here(fmt::format("'{}' is no integer", word));
    }
    return value;
  }

  void expect_end_of_line() {
    if (const std::string_view word = next_word(); !word.empty()) {
      fail_here(fmt::format("'{}' follows where the line should end", word));
    }
  }

  void expect_end_of_file(index_t declared) {
    if (next_line()) {
      fail_here(fmt::format("more entries than the {} declared", declared));
    }
  }

 private:
  static std::string_view without_plus(std::string_view word) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
    return plus ? word.substr(1) : word;
  }

  static bool is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\r'; }

  void skip_blanks() {
    std::size_t start = 0;
    while (start < line_.size() && is_blank(line_[start])) {
      ++start;
    }
    line_.remove_prefix(start);
  }

  std::string_view next_word() {
    skip_blanks();
    std::size_t stop = 0;
    while (stop < line_.size() && !is_blank(line_[stop])) {
      ++stop;
    }
    const std::string_view word = line_.substr(0, stop);
    line_.remove_prefix(stop);
    return word;
  }

  std::string path_;
  std::string text_;
  std::string_view rest_;
  std::string_view line_;
  std::size_t line_number_ = 0;
};

/// What is read from a file before it is put in order.
struct Entries {
  index_t rows;
  index_t columns;
  Layout layout;
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
  } else if (words[3] == "pattern" && header.layout == Layout::coordinate) {
    header.field = Field::pattern;
  } else {
    reader.fail_here(fmt::format("field '{}' is not read here; real, integer and (with coordinate) pattern are", words[3]));
  }
  if (words[4] == "general") {
    header.symmetry = Symmetry::general;
  } else if (words[4] == "symmetric") {
    header.symmetry = Symmetry::symmetric;
  } else if (words[4] == "skew-symmetric" && header.field != Field::pattern) {
    header.symmetry = Symmetry::skew;
  } else {
    reader.fail_here(
        fmt::format("symmetry '{}' is not read here; general, symmetric and skew-symmetric (of numbers) are", words[4]));
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
    list.push_back({entry.column, entry.row, symmetry == Symmetry::skew ? -entry.value : entry.value});
  }
}

void read_coordinates(Reader& reader, const Header& header, index_t declared, Entries& entries) {
  for (index_t taken = 0; taken < declared; ++taken) {
    if (!reader.next_line()) {
      reader.fail_here(fmt::format("the file ends after {} of the {} entries declared", taken, declared));
    }
    const index_t row = reader.integer("row");
    const index_t column = reader.integer("column");
    const double value = header.field == Field::pattern ? 1.0 : reader.number(header.field);
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
    append(entries.list, header.symmetry, {static_cast<std::int32_t>(row - 1), static_cast<std::int32_t>(column - 1), value});
  }
}

void read_array(Reader& reader, const Header& header, index_t declared, Entries& entries) {
  index_t taken = 0;
  for (index_t column = 0; column < entries.columns; ++column) {
    const index_t first = header.symmetry == Symmetry::general ? 0 : header.symmetry == Symmetry::symmetric ? column : column + 1;
    for (index_t row = first; row < entries.rows; ++row) {
      if (!reader.next_line()) {
        reader.fail_here(fmt::format("the file ends after {} of the {} values expected", taken, declared));
      }
      const double value = reader.number(header.field);
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
    return a.column != b.column ? a.column < b.column : a.value < b.value;
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
  matrix.values.reserve(entries.list.size());
  const Entry* previous = nullptr;
  for (const Entry& entry : entries.list) {
    if (previous != nullptr && previous->row == entry.row && previous->column == entry.column) {
      matrix.values.back() += entry.value;
      PHPC_VALIDATE(std::isfinite(matrix.values.back()), ErrorKind::input,
                    fmt::format("{}: the sum of the entries ({}, {}) is not finite", path, entry.row + 1, entry.column + 1));
    } else {
      matrix.column_indices.push_back(entry.column);
      matrix.values.push_back(entry.value);
      ++matrix.row_offsets[static_cast<std::size_t>(entry.row) + 1];
    }
    previous = &entry;
  }
  for (std::size_t row = 1; row < matrix.row_offsets.size(); ++row) {
    matrix.row_offsets[row] += matrix.row_offsets[row - 1];
  }
  return matrix;
}

std::vector<double> read_matrix_market_vector(const std::string& path, index_t rows) {
  const Entries entries = read_entries(path, [rows](const Reader& reader, const Size& size) {
    if (size.columns != 1) {
      reader.fail_here(fmt::format("a {} x {} matrix where a vector is expected; give one column", size.rows, size.columns));
    }
    if (size.rows != rows) {
      reader.fail_here(fmt::format("a right-hand side of {} values for a matrix of {} rows", size.rows, rows));
    }
  });
  std::vector<double> vector(static_cast<std::size_t>(entries.rows), 0.0);
  for (const Entry& entry : entries.list) {
    vector[static_cast<std::size_t>(entry.row)] += entry.value;
  }
  return vector;
}

}  // namespace phpc::io
