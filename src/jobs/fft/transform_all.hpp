#pragma once
#include "jobs/caller.hpp"
#include "jobs/fft/options.hpp"

namespace phpc::jobs {

/// Transforms the arrays of all inputs, or one share of them, and writes what the options ask for: arrays, tables of spectra and
/// plots. Returns whether all inputs went well, the errors of the others having been told. Throws Error, Stopped.
bool transform_all(Caller& caller, const FftOptions& options, const ChooseDevices& choose_devices);

}  // namespace phpc::jobs
