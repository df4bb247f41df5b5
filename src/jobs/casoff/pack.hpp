#pragma once
#include <string>

namespace phpc::cli {

class Session;

/// `casoff --pack GENOME -o OUT`: writes the genome as a packed one. Returns the exit code.
int pack_genome(Session& session, const std::string& genome, const std::string& output);

}  // namespace phpc::cli
