#pragma once
#include <optional>
#include <utility>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// The radices that a stage can have: the one list that kernels, planner and tests go by. Each needs a butterfly<R>.
using RadixList = std::integer_sequence<int, 2, 3, 4, 5, 7, 8, 9, 11, 13, 16>;

/// The most stages of one pass: more than any length has that fits into a team's scratch.
inline constexpr int max_stages = 16;

/// Radices whose product is n, the largest first, as few as the list allows; nullopt when n has a prime factor outside the list.
/// Empty for n = 1.
std::optional<std::vector<int>> stage_radices(index_t n);

/// True when every prime factor of n is in the list.
bool is_smooth(index_t n);

/// The lengths of the passes of a transform of smooth length n when one pass takes at most `limit`: one, two or three factors of
/// n, as equal as can be. nullopt when three do not suffice.
std::optional<std::vector<index_t>> pass_lengths(index_t n, index_t limit);

/// The shortest smooth length of at least n, for n up to 2^58.
index_t smooth_length(index_t n);

/// The shortest length of at least n that is a power of two times 1, 3, 5, 7, 9 or 15: for padding a convolution.
index_t padded_length(index_t n);

}  // namespace phpc::fft
