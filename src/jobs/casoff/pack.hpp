#pragma once
#include <string>

#include "jobs/caller.hpp"

namespace phpc::jobs {

/// `casoff --pack GENOME -o OUT`: writes the genome as a packed one. Throws Error.
void pack_genome(Caller& caller, const std::string& genome, const std::string& output);

}  // namespace phpc::jobs
