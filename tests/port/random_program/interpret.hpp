// Interprets random programs: what their kernels are to compute.
#pragma once
#include <cstdint>

#include "port/random_program/ast.hpp"

namespace phpc::test {

/// The 64-bit FNV-1a hash of all that kernel `kernel` writes: outputs, work array, totals. Throws std::logic_error where the
/// program breaks a rule of CUDA: a barrier that not all threads reach, or a race between barriers; and for kernels of more than
/// ten million steps.
[[nodiscard]] std::uint64_t expected_hash(const Program& program, const Kernel& kernel);

}  // namespace phpc::test
