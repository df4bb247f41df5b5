#include "cli/options/number_check.hpp"

#include <fmt/format.h>

#include <cmath>

#include "phpc/core/parse.hpp"

namespace phpc::cli {

namespace {

/// The largest bound that the help shows: larger ones only keep arithmetic from overflowing.
constexpr index_t most_shown = 1'000'000;

/// A number without a leading plus, which parse_integer() and parse_real() refuse.
std::string without_plus(const std::string& text) {
  return text.size() > 1 && text.front() == '+' && text[1] != '-' ? text.substr(1) : text;
}

/// What the user gave, for a message of one line.
std::string shown(const std::string& text) {
  constexpr std::size_t longest = 40;
  return text.size() <= longest ? text : text.substr(0, longest) + "...";
}

}  // namespace

CLI::Validator whole_number(index_t least, index_t most) {
  const bool is_bounded = most < std::numeric_limits<index_t>::max();
  const std::string wanted = is_bounded ? fmt::format("{} to {}", least, most) : fmt::format("{} or more", least);
  return {[least, most, wanted](std::string& text) -> std::string {
            const std::string digits = without_plus(text);
            const auto number = parse_integer(digits);
            if (number && *number >= least && *number <= most) {
              text = fmt::format("{}", *number);
              return "";
            }
            const bool is_number = !digits.empty() &&
                                   digits.find_first_not_of("0123456789", digits[0] == '-' ? 1 : 0) == std::string::npos &&
                                   digits != "-";
            return fmt::format("'{}' is {}; give {}", shown(text), is_number ? "out of range" : "no whole number", wanted);
          },
          most <= most_shown ? fmt::format("INT in [{} - {}]", least, most)
          : least == 0       ? "NONNEGATIVE"
                             : ""};
}

CLI::Validator precision_name() {
  return {[](std::string& text) -> std::string {
            if (text == "float32" || text == "single" || text == "float") {
              text = "f32";
            } else if (text == "float64" || text == "double") {
              text = "f64";
            }
            return "";
          },
          ""};
}

CLI::Validator real_number(double least) {
  const bool is_bounded = least > std::numeric_limits<double>::lowest();
  return {[least, is_bounded](std::string& text) -> std::string {
            const auto number = parse_real(without_plus(text));
            if (number && std::isfinite(*number) && *number >= least) {
              return "";
            }
            if (!number && !is_bounded) {
              return fmt::format("'{}' is no number", shown(text));
            }
            return fmt::format("'{}' is {}; give a {}number{}", shown(text), number ? "out of range" : "no number",
                               number && !std::isfinite(*number) ? "finite " : "",
                               is_bounded ? fmt::format(" of {} or more", least) : std::string());
          },
          least == 0 ? "NONNEGATIVE" : ""};
}

}  // namespace phpc::cli
