#include "phpc/core/parse.hpp"

#include <fmt/format.h>

#include <charconv>

namespace phpc {

namespace {

template <class T>
std::optional<T> parse_whole(std::string_view text) {
  T value{};
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (text.empty() || error != std::errc{} || stop != end) {
    return std::nullopt;
  }
  return value;
}

constexpr std::string_view blanks = " \t";

}  // namespace

std::optional<index_t> parse_integer(std::string_view text) {
  return parse_whole<index_t>(text);
}

std::optional<double> parse_real(std::string_view text) {
  return parse_whole<double>(text);
}

std::vector<std::string_view> split_blanks(std::string_view line) {
  std::vector<std::string_view> fields;
  std::size_t start = line.find_first_not_of(blanks);
  while (start != std::string_view::npos) {
    const std::size_t stop = line.find_first_of(blanks, start);
    fields.push_back(line.substr(start, stop - start));
    start = line.find_first_not_of(blanks, stop);
  }
  return fields;
}

std::string_view trimmed(std::string_view text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string_view::npos) {
    return {};
  }
  return text.substr(start, text.find_last_not_of(" \t\r\n") - start + 1);
}

std::string lower_case(std::string_view text) {
  std::string lowered(text);
  for (char& letter : lowered) {
    if (letter >= 'A' && letter <= 'Z') {
      letter = static_cast<char>(letter - 'A' + 'a');
    }
  }
  return lowered;
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  auto value = static_cast<double>(bytes);
  int unit = 0;
  while (value >= 1024 && unit < 6) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

std::string counted(index_t count, std::string_view one, std::string_view many) {
  if (count == 1) {
    return fmt::format("1 {}", one);
  }
  return many.empty() ? fmt::format("{} {}s", count, one) : fmt::format("{} {}", count, many);
}

std::string format_decimal(double value) {
  constexpr const char* prefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  constexpr double rounds_to_four_digits = 999.5;
  int prefix = 0;
  while (value >= rounds_to_four_digits && prefix < 6) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{:.3g} {}", value, prefixes[prefix]);
}

}  // namespace phpc
