#pragma once
#include <string>

namespace phpc::cli {

/// "0.1.0"
std::string version();

/// Version, commit, compiler, OpenMP run-time library and offload targets, one a line.
std::string version_in_detail();

}  // namespace phpc::cli
