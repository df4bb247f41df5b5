#include "jobs/integer_list.hpp"

#include <fmt/format.h>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::jobs {

std::vector<index_t> parse_list(const std::string& text, const std::string& option) {
  std::vector<index_t> numbers;
  std::string_view rest = text;
  for (;;) {
    const std::size_t comma = rest.find(',');
    const auto number = parse_integer(trimmed(rest.substr(0, comma)));
    PHPC_VALIDATE(number.has_value(), ErrorKind::usage,
                  fmt::format("{} {}: '{}' is no list of integers; write them as in 4,128", option, text, text));
    numbers.push_back(*number);
    if (comma == std::string_view::npos) {
      return numbers;
    }
    rest.remove_prefix(comma + 1);
  }
}

}  // namespace phpc::jobs
