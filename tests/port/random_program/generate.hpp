// Makes random programs.
#pragma once
#include <cstdint>

#include "port/random_program/ast.hpp"

namespace phpc::test {

/// A program of `count` kernels; the same for the same seed and compiler. Its kernels have no undefined behaviour; very few have
/// a race, which the interpreter finds.
[[nodiscard]] Program random_program(std::uint64_t seed, int count);

}  // namespace phpc::test
