#include "cli/options/byte_size.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string>

#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

constexpr std::string_view blanks = " \t";

std::optional<std::uint64_t> value_of_digits(std::string_view digits) {
  std::uint64_t value = 0;
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  return digits.empty() || error != std::errc{} || stop != end ? std::nullopt : std::optional(value);
}

}  // namespace

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  constexpr std::string_view digits = "0123456789";
  const std::size_t whole_end = std::min(text.find_first_not_of(digits), text.size());
  std::size_t end = whole_end;
  if (text.substr(end).starts_with('.')) {
    end = std::min(text.find_first_not_of(digits, end + 1), text.size());
    if (end == whole_end + 1) {
      return std::nullopt;  // a point and no digit
    }
  }
  std::string unit = lower_case(text.substr(std::min(text.find_first_not_of(blanks, end), text.size())));
  if (unit.ends_with('b')) {
    unit.pop_back();
  }
  const bool is_binary = unit.size() == 2 && unit[1] == 'i';
  constexpr std::string_view prefixes = "kmgtpe";
  const std::size_t power = unit.empty() ? 0 : prefixes.find(unit[0]) + 1;
  if (!unit.empty() && (power == 0 || unit.size() != (is_binary ? 2 : 1))) {
    return std::nullopt;
  }
  std::uint64_t factor = 1;
  for (std::size_t step = 0; step < power; ++step) {
    factor *= is_binary ? 1024 : 1000;
  }
  const auto whole = value_of_digits(text.substr(0, whole_end));
  std::uint64_t bytes = 0;
  if (!whole || __builtin_mul_overflow(*whole, factor, &bytes)) {
    return std::nullopt;
  }
  std::uint64_t fraction = 0;
  if (end > whole_end) {
    const auto share = parse_real(fmt::format("0{}", text.substr(whole_end, end - whole_end)));
    fraction = static_cast<std::uint64_t>(share.value_or(0) * static_cast<double>(factor));
  }
  return __builtin_add_overflow(bytes, fraction, &bytes) ? std::nullopt : std::optional(bytes);
}

CLI::Validator byte_size() {
  return CLI::Validator(
      [](std::string& text) {
        const std::optional<std::uint64_t> bytes = parse_bytes(text);
        if (!bytes || *bytes == 0) {
          return fmt::format("'{}' is no size; give bytes, or a number with a unit, as in 500MB or 2GiB", text);
        }
        text = std::to_string(*bytes);
        return std::string();
      },
      "", "");
}

}  // namespace phpc::cli
