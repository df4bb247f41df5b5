#include "cli/fft_options.hpp"

#include <fmt/format.h>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cli {

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

std::optional<io::RawFormat> raw_format(const FftOptions& options, std::uint64_t memory) {
  if (options.dtype.empty()) {
    PHPC_VALIDATE(options.shape.empty(), ErrorKind::usage,
                  "--shape is for bare elements (other files say their own); give --dtype with it");
    return std::nullopt;
  }
  io::RawFormat format{.dtype = options.dtype, .most_held_bytes = memory / 4};
  if (!options.shape.empty()) {
    format.shape = parse_list(options.shape, "--shape");
  }
  return format;
}

}  // namespace phpc::cli
