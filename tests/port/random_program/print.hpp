// Prints random programs as source text.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "port/random_program/ast.hpp"

namespace phpc::test {

/// The device functions of a program, one after another. `plain`: as C++ for the emulation in plain_preamble().
[[nodiscard]] std::string print_functions(const Program& program, bool plain);

/// One kernel and a host function `run_<kernel>` that launches it and compares with `hash`.
[[nodiscard]] std::string print_kernel(const Program& program, const Kernel& kernel, std::uint64_t hash, bool plain);

/// A whole program: CUDA C++, or C++ that runs the same kernels by a simple emulation of its own.
[[nodiscard]] std::string print_program(const Program& program, const std::vector<std::uint64_t>& hashes, std::uint64_t seed,
                                        bool plain);

/// What a plain program starts with: CUDA's names over fibers, one for each thread of a block.
[[nodiscard]] std::string plain_preamble();

}  // namespace phpc::test
