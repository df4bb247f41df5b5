#pragma once
#include "jobs/batch/options.hpp"
#include "jobs/caller.hpp"

namespace phpc::jobs {

/// Solves the batch that the options name, or one share of it, and writes what they ask for. Throws Error, also when a system did
/// not converge and that is not allowed, and Stopped.
void solve_batch(Caller& caller, BatchOptions options, const ChooseDevices& choose_devices);

}  // namespace phpc::jobs
