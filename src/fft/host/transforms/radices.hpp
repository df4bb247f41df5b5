#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The radices that a stage of HostTransform can have: all butterflies that fit into the registers, more than RadixList has.
using HostRadixList = std::integer_sequence<int, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16>;

/// Returns the radices of HostTransform's stages, the first stage's first: those that take the least time by the model of
/// host_stages_cost(). nullopt for a length with a prime factor above 13; empty for length 1.
std::optional<std::vector<int>> host_radices(index_t length);

/// Returns a model's time of these stages for one pack of elements. It leaves out what a pass takes with any radices.
double host_stages_cost(const std::vector<int>& radices);

}  // namespace phpc::fft
