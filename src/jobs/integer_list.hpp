#pragma once
#include <string>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::jobs {

/// "3,-1,5" as numbers; `option` is named in the Error(usage) for anything else.
std::vector<index_t> parse_list(const std::string& text, const std::string& option);

}  // namespace phpc::jobs
