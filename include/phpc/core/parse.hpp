#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc {

/// A whole-string decimal integer; nothing else is accepted (no blanks, sign `-` allowed). nullopt on any other text or overflow.
std::optional<index_t> parse_integer(std::string_view text);

/// A whole-string floating-point number (inf and nan included). nullopt on any other text.
std::optional<double> parse_real(std::string_view text);

/// Fields between runs of blanks and tabs, none empty.
std::vector<std::string_view> split_blanks(std::string_view line);

/// `text` without leading and trailing blanks, tabs, CR and LF.
std::string_view trimmed(std::string_view text);

/// ASCII lower case.
std::string lower_case(std::string_view text);

/// "1.5 GiB", "512 B": for messages.
std::string format_bytes(std::uint64_t bytes);

}  // namespace phpc
