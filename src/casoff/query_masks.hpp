#pragma once
#include <span>
#include <vector>

#include "casoff/comparer.hpp"
#include "casoff/finder.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/site.hpp"

/// Patterns and guides as the kernels read them.
namespace phpc::casoff {

/// The rule of a policy; `invert` has the bits of `within` where the policy inverts.
MatchRule match_rule(Ambiguity ambiguity, std::uint64_t within);

/// The pattern's letters that are not N, over the window as it lies on the + strand.
std::vector<PatternLetter> pattern_letters(const Pattern& pattern, Strand strand, Ambiguity ambiguity);

/// Blocks of all guides for the + strand, then for the - strand.
std::vector<GuideBlock> guide_blocks(std::span<const Guide> guides, Ambiguity ambiguity);

/// Bits 0 ... length - 1.
std::uint64_t window_bits(int length);

}  // namespace phpc::casoff
