#pragma once
#include <string>

#include "phpc/exec/device.hpp"

namespace phpc::jobs {

/// Throws Error(memory) when `bytes`, which may be larger than any integer, exceed nine tenths of what is free on the device,
/// where that is known: before they are asked for, since a system that lends more memory than it has kills who uses it. `what`
/// takes them; `advice` is what to try.
void validate_memory(exec::Device device, double bytes, const std::string& what, const std::string& advice);

}  // namespace phpc::jobs
