#pragma once
#include <optional>
#include <string>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::bench {

/// Returns the positive integer that an option of a benchmark's command line has as its value; throws a usage error where it has
/// another.
inline index_t integer_of(const std::string& name, const std::string& value) {
  const std::optional<index_t> number = parse_integer(value);
  PHPC_VALIDATE(number && *number > 0, ErrorKind::usage, name + " is a positive integer, not " + value);
  return *number;
}

}  // namespace phpc::bench
