#include "phpc/batch/problems.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <set>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::batch {

namespace {

/// The streams of random numbers, independent of one another.
enum class Stream : std::uint64_t { pattern, values, rhs };

/// The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014).
std::uint64_t mixed(std::uint64_t word) {
  word += 0x9e3779b97f4a7c15U;
  word = (word ^ (word >> 30)) * 0xbf58476d1ce4e5b9U;
  word = (word ^ (word >> 27)) * 0x94d049bb133111ebU;
  return word ^ (word >> 31);
}

/// Random numbers of one stream of one system.
class Draw {
 public:
  Draw(std::uint64_t seed, Stream stream, index_t system)
      : engine_(mixed(mixed(mixed(seed) + static_cast<std::uint64_t>(stream)) + static_cast<std::uint64_t>(system))) {}

  /// Below `count`.
  index_t integer(index_t count) { return static_cast<index_t>(engine_() % static_cast<std::uint64_t>(count)); }
  /// In [0, 1), a multiple of 2^-53.
  double uniform() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }
  /// In [-1, 1).
  double signed_uniform() { return static_cast<double>(static_cast<std::int64_t>(engine_()) >> 11) * 0x1p-52; }
  /// The sum of twelve uniform numbers less 6, in units of 2^-32.
  std::int64_t normal_units() {
    std::int64_t sum = 0;
    for (int word = 0; word < 6; ++word) {
      const std::uint64_t two = engine_();
      sum += static_cast<std::int64_t>(two >> 32) + static_cast<std::int64_t>(two & 0xffffffffU);
    }
    return sum - (std::int64_t{6} << 32);
  }
  double normal() { return static_cast<double>(normal_units()) * 0x1p-32; }
  /// ~ N(0.5, 0.1), with one rounding: (5 + z) / 10.
  double around_half() { return static_cast<double>((std::int64_t{5} << 32) + normal_units()) / 10 * 0x1p-32; }

 private:
  std::mt19937_64 engine_;
};

constexpr index_t size_limit = std::numeric_limits<std::int32_t>::max();

/// A problem's name and numbers as given.
struct Text {
  std::string name;
  std::vector<index_t> numbers;
};

/// Parses "name:number,number"; none where the text is not of that form.
std::optional<Text> parsed(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return std::nullopt;
  }
  Text result{.name = std::string(text.substr(0, colon)), .numbers = {}};
  std::string_view rest = text.substr(colon + 1);
  for (;;) {
    const std::size_t comma = rest.find(',');
    const std::optional<index_t> number = parse_integer(rest.substr(0, comma));
    if (!number) {
      return std::nullopt;
    }
    result.numbers.push_back(*number);
    if (comma == std::string_view::npos) {
      return result;
    }
    rest.remove_prefix(comma + 1);
  }
}

[[noreturn]] void fail_form(std::string_view text) {
  const std::string name(text.substr(0, text.find(':')));
  std::string forms;
  for (const std::string& form : problem_forms()) {
    if (form.starts_with(name + ":")) {
      fail(ErrorKind::usage, "problem '" + std::string(text) + "' is not of the form " + form + "; give whole numbers");
    }
    forms += (forms.empty() ? "" : ", ") + form;
  }
  fail(ErrorKind::usage, "there is no problem '" + name + "'; give one of " + forms);
}

}  // namespace

std::vector<std::string> problem_forms() {
  return {"stencil3:N", "lesp:N", "random-spd:N,NNZ", "chemistry:N"};
}

ProblemSize problem_size(std::string_view text) {
  const std::optional<Text> words = parsed(text);
  if (!words || words->numbers.size() != (words->name == "random-spd" ? 2U : 1U)) {
    fail_form(text);
  }
  const std::string problem = "problem '" + std::string(text) + "'";
  const index_t rows = words->numbers.front();
  PHPC_VALIDATE(rows >= 1 && rows <= size_limit / 3, ErrorKind::usage,
                problem + " has " + std::to_string(rows) + " rows; give 1 ... " + std::to_string(size_limit / 3));
  if (words->name == "stencil3" || words->name == "lesp") {
    return {rows, 3 * rows - 2};
  }
  if (words->name == "random-spd") {
    const index_t entries = words->numbers.back();
    PHPC_VALIDATE(entries >= rows && entries <= size_limit && entries - rows <= rows * (rows - 1) && (entries - rows) % 2 == 0,
                  ErrorKind::usage,
                  problem + ": a symmetric matrix of " + std::to_string(rows) + " rows with " + std::to_string(entries) +
                      " entries; give " + std::to_string(rows) + " (the diagonal) plus an even number, at most N^2 in all");
    return {rows, entries};
  }
  if (words->name != "chemistry") {
    fail_form(text);
  }
  constexpr index_t most_chemistry_rows = 46340;
  PHPC_VALIDATE(rows <= most_chemistry_rows, ErrorKind::usage,
                problem + " has more entries than 2^31; give at most " + std::to_string(most_chemistry_rows) + " rows");
  return {rows, rows * rows};
}

Problem::Problem(std::string_view text, std::uint64_t seed) : kind_(Kind::stencil3), seed_(seed) {
  const ProblemSize size = problem_size(text);
  pattern_.row_offsets.assign(static_cast<std::size_t>(size.rows) + 1, 0);
  if (text.starts_with("random-spd")) {
    kind_ = Kind::random_spd;
    make_random_symmetric(size.most_entries);
  } else if (text.starts_with("chemistry")) {
    kind_ = Kind::chemistry;
    make_nearly_full();
  } else {
    kind_ = text.starts_with("lesp") ? Kind::lesp : Kind::stencil3;
    make_band();
  }
}

void Problem::make_band() {
  const index_t rows = pattern_.rows();
  for (index_t row = 0; row < rows; ++row) {
    for (index_t column = std::max<index_t>(row - 1, 0); column <= std::min(row + 1, rows - 1); ++column) {
      pattern_.columns.push_back(static_cast<std::int32_t>(column));
    }
    pattern_.row_offsets[static_cast<std::size_t>(row) + 1] = static_cast<std::int32_t>(pattern_.columns.size());
  }
}

void Problem::make_random_symmetric(index_t entries) {
  const index_t rows = pattern_.rows();
  // Places below the diagonal, numbered row by row, without repetition (Floyd's algorithm; Bentley, CACM 30 (1987) 754).
  const index_t places = rows * (rows - 1) / 2;
  const index_t wanted = (entries - rows) / 2;
  Draw draw(seed_, Stream::pattern, 0);
  std::set<index_t> chosen;
  for (index_t last = places - wanted; last < places; ++last) {
    const index_t place = draw.integer(last + 1);
    chosen.insert(chosen.contains(place) ? last : place);
  }
  std::vector<std::vector<std::int32_t>> columns(static_cast<std::size_t>(rows));
  index_t row = 1;
  for (const index_t place : chosen) {
    while (place >= row * (row + 1) / 2) {
      ++row;
    }
    const index_t column = place - row * (row - 1) / 2;
    columns[static_cast<std::size_t>(row)].push_back(static_cast<std::int32_t>(column));
    columns[static_cast<std::size_t>(column)].push_back(static_cast<std::int32_t>(row));
  }
  for (std::int32_t i = 0; i < rows; ++i) {
    auto& own = columns[static_cast<std::size_t>(i)];
    own.push_back(i);
    std::sort(own.begin(), own.end());
    pattern_.columns.insert(pattern_.columns.end(), own.begin(), own.end());
    pattern_.row_offsets[static_cast<std::size_t>(i) + 1] = static_cast<std::int32_t>(pattern_.columns.size());
  }
  // Entries below the diagonal come in the order in which their mirror images stand in the rows above.
  std::vector<std::int32_t> next(pattern_.row_offsets.begin(), pattern_.row_offsets.end() - 1);
  mirrors_.resize(pattern_.columns.size());
  for (std::int32_t i = 0; i < rows; ++i) {
    const auto end = pattern_.row_offsets[static_cast<std::size_t>(i) + 1];
    for (auto entry = pattern_.row_offsets[static_cast<std::size_t>(i)]; entry < end; ++entry) {
      const auto column = static_cast<std::size_t>(pattern_.columns[static_cast<std::size_t>(entry)]);
      mirrors_[static_cast<std::size_t>(entry)] = next[column]++;
    }
  }
}

void Problem::make_nearly_full() {
  const index_t rows = pattern_.rows();
  Draw draw(seed_, Stream::pattern, 0);
  constexpr int binades = 24;  // seven orders of magnitude
  for (index_t row = 0; row < rows; ++row) {
    // (1 + u) 2^-k, every binade equally often.
    const double mantissa = 1 + draw.uniform();
    amounts_.push_back(std::ldexp(mantissa, -static_cast<int>(draw.integer(binades))));
    for (index_t column = 0; column < rows; ++column) {
      if (row == column || draw.integer(10) != 0) {
        pattern_.columns.push_back(static_cast<std::int32_t>(column));
      }
    }
    pattern_.row_offsets[static_cast<std::size_t>(row) + 1] = static_cast<std::int32_t>(pattern_.columns.size());
  }
}

index_t Problem::value_sets(index_t systems) const {
  return kind_ == Kind::lesp ? std::min<index_t>(systems, 1) : systems;
}

void Problem::fill_values(index_t set, std::span<double> values) const {
  PHPC_EXPECT(static_cast<index_t>(values.size()) == pattern_.entries());
  switch (kind_) {
    case Kind::stencil3:
      return fill_stencil(set, values);
    case Kind::lesp:
      return fill_lesp(values);
    case Kind::random_spd:
      return fill_symmetric(set, values);
    case Kind::chemistry:
      return fill_chemistry(set, values);
  }
}

void Problem::fill_stencil(index_t set, std::span<double> values) const {
  Draw draw(seed_, Stream::values, set);
  std::size_t entry = 0;
  for (std::int32_t row = 0; row < pattern_.rows(); ++row) {
    const auto end = static_cast<std::size_t>(pattern_.row_offsets[static_cast<std::size_t>(row) + 1]);
    for (; entry < end; ++entry) {
      double h = 0;
      while (pattern_.columns[entry] == row && h < 0.05) {
        h = draw.around_half();
      }
      values[entry] = pattern_.columns[entry] == row ? 2 / h : -1;
    }
  }
}

void Problem::fill_lesp(std::span<double> values) const {
  std::size_t entry = 0;
  for (std::int32_t row = 0; row < pattern_.rows(); ++row) {
    const auto end = static_cast<std::size_t>(pattern_.row_offsets[static_cast<std::size_t>(row) + 1]);
    for (; entry < end; ++entry) {
      const std::int32_t column = pattern_.columns[entry];
      values[entry] = column == row ? -(2.0 * row + 5) : column > row ? column + 1.0 : 1.0 / (row + 1);
    }
  }
}

void Problem::fill_symmetric(index_t set, std::span<double> values) const {
  Draw draw(seed_, Stream::values, set);
  const auto each = [&](auto use) {
    for (std::int32_t row = 0; row < pattern_.rows(); ++row) {
      const auto end = pattern_.row_offsets[static_cast<std::size_t>(row) + 1];
      for (auto entry = pattern_.row_offsets[static_cast<std::size_t>(row)]; entry < end; ++entry) {
        use(row, pattern_.columns[static_cast<std::size_t>(entry)], static_cast<std::size_t>(entry));
      }
    }
  };
  each([&](std::int32_t row, std::int32_t column, std::size_t entry) {
    if (column < row) {
      values[entry] = draw.signed_uniform();
      values[static_cast<std::size_t>(mirrors_[entry])] = values[entry];
    } else if (column == row) {
      values[entry] = 0;
    }
  });
  std::vector<double> diagonal(static_cast<std::size_t>(pattern_.rows()), 0.5);
  each([&](std::int32_t row, std::int32_t, std::size_t entry) {
    diagonal[static_cast<std::size_t>(row)] += std::fabs(values[entry]);
  });
  each([&](std::int32_t row, std::int32_t column, std::size_t entry) {
    if (column == row) {
      values[entry] = diagonal[static_cast<std::size_t>(row)] + draw.uniform();
    }
  });
}

void Problem::fill_chemistry(index_t set, std::span<double> values) const {
  Draw draw(seed_, Stream::values, set);
  const double root = std::sqrt(static_cast<double>(pattern_.rows()));
  std::size_t entry = 0;
  for (std::int32_t row = 0; row < pattern_.rows(); ++row) {
    const auto end = static_cast<std::size_t>(pattern_.row_offsets[static_cast<std::size_t>(row) + 1]);
    for (; entry < end; ++entry) {
      const std::int32_t column = pattern_.columns[entry];
      const double normal = draw.normal();
      if (column == row) {
        values[entry] = 1 + std::fabs(normal * 0.25);  // exact but for the sum
      } else {
        const double ratio = amounts_[static_cast<std::size_t>(row)] / amounts_[static_cast<std::size_t>(column)];
        values[entry] = normal / root * ratio * 0.5;
      }
    }
  }
}

void Problem::fill_rhs(index_t system, std::span<double> rhs) const {
  PHPC_EXPECT(static_cast<index_t>(rhs.size()) == pattern_.rows());
  switch (kind_) {
    case Kind::stencil3:
      std::fill(rhs.begin(), rhs.end(), Draw(seed_, Stream::rhs, system).around_half());
      return;
    case Kind::lesp:
    case Kind::random_spd:
      fill_random_rhs(seed_, system, rhs);
      return;
    case Kind::chemistry:
      std::fill(rhs.begin(), rhs.end(), 1.0);
      return;
  }
}

void fill_random_rhs(std::uint64_t seed, index_t system, std::span<double> rhs) {
  Draw draw(seed, Stream::rhs, system);
  std::generate(rhs.begin(), rhs.end(), [&] { return draw.signed_uniform(); });
}

}  // namespace phpc::batch
