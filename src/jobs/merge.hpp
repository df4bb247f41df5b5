#pragma once
#include <string>
#include <vector>

#include "jobs/caller.hpp"

namespace phpc::jobs {

/// Puts the parts of one job together, in whatever order they are named: `output` gets what one run of the whole would have
/// written, byte for byte. Throws Error.
void merge(const Caller& caller, const std::vector<std::string>& paths, const std::string& output);

}  // namespace phpc::jobs
