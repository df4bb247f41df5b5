#pragma once
#include <CLI/CLI.hpp>
#include <limits>

#include "phpc/core/types.hpp"

/// Checks of numbers on the command line, for CLI::Option::transform(). CLI11 by itself takes 010 for 8, the largest number for
/// what does not fit, and lets nan through its ranges.
namespace phpc::cli {

/// The most systems, or transforms, that a command line may ask for: their sizes in bytes fit in 63 bits.
inline constexpr index_t most_units = index_t{1} << 40;

/// A whole decimal number from `least` to `most`.
CLI::Validator whole_number(index_t least, index_t most = std::numeric_limits<index_t>::max());

/// Replaces the names that other programs have for precisions (float32, single, float64, double) by f32 and f64.
CLI::Validator precision_name();

/// A finite number, of `least` or more.
CLI::Validator real_number(double least = std::numeric_limits<double>::lowest());

}  // namespace phpc::cli
