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

/// "1 site", "2 sites", "0 queries": a count of things for messages. `many` is the plural; empty = `one` with an s behind.
std::string counted(index_t count, std::string_view one, std::string_view many = {});

/// "697 M", "1.2 k", "0.05 ": three digits of a number of 0 or more and its decimal prefix, to be followed by a unit.
std::string format_decimal(double value);

}  // namespace phpc
