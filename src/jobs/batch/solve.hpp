#pragma once
#include "cli/session.hpp"
#include "jobs/batch/options.hpp"

namespace phpc::cli {

/// Solves the batch that the options name and writes what they ask for. Returns the exit code; throws Error, also when a system
/// did not converge and that is not allowed.
int solve_batch(Session& session, BatchOptions options);

}  // namespace phpc::cli
