#pragma once
#include "phpc/exec/device.hpp"

namespace phpc::bench {

/// The device that benchmarks run on: PHPC_BENCH_DEVICE in the environment, in the terms of `--device`; `auto` without it.
/// Its name stands in the context block of the results.
exec::Device device();

}  // namespace phpc::bench
