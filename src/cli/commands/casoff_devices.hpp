#pragma once
#include <string_view>
#include <vector>

#include "phpc/exec/device.hpp"

namespace phpc::cli {

/// Whether text has the form of Cas-OFFinder's device argument: one of C, G, A, then nothing or ids.
bool is_device_class(std::string_view text);

/// The devices of Cas-OFFinder's argument: C the host, G the GPUs, A other devices (x86_64 offload), numbered within their class.
/// Ids are a list of numbers and of ranges first:end[:step] (end excluded). Without ids: all of the class, but of the x86_64
/// devices one, because LLVM shows the one processor several times. Throws Error(usage) for malformed ids, Error(device) for
/// absent ones.
std::vector<exec::Device> select_device_class(std::string_view text);

}  // namespace phpc::cli
