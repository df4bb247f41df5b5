#pragma once
#include "batch/method_tables.hpp"
#include "batch/mixed_dispatch.hpp"

namespace phpc::batch {

/// The team sizes of kernels with cycles of float: few, as each costs half a second of compile time a method and target.
inline constexpr int mixed_team_sizes[] = {1, 64, 256};

}  // namespace phpc::batch
