#include "casoff/query_masks.hpp"

#include <algorithm>

namespace phpc::casoff {

namespace {

/// Which planes take part where the query has this code (bit p for plane p): see MatchRule.
std::uint8_t planes_of(Code code, Ambiguity ambiguity) {
  constexpr char letters[] = "ACGT?";  // '?' stands for what the no-base plane holds under the policy
  std::uint8_t planes = 0;
  for (int plane = 0; plane < plane_count; ++plane) {
    const bool mismatch = is_mismatch(code, letters[plane], ambiguity);
    const bool takes_part = ambiguity == Ambiguity::any ? !mismatch : mismatch;
    planes = static_cast<std::uint8_t>(planes | (takes_part ? 1 << plane : 0));
  }
  return planes;
}

/// The code over base `offset` of the window.
Code code_over(const Pattern& pattern, int offset, Strand strand) {
  return strand == Strand::plus ? pattern.codes()[static_cast<std::size_t>(offset)]
                                : complement(pattern.codes()[static_cast<std::size_t>(pattern.size() - 1 - offset)]);
}

}  // namespace

std::uint64_t window_bits(int length) {
  return length >= bases_per_word ? ~std::uint64_t{0} : (std::uint64_t{1} << length) - 1;
}

MatchRule match_rule(Ambiguity ambiguity, std::uint64_t within) {
  return {ambiguity == Ambiguity::cas_offinder ? 0 : ~std::uint64_t{0}, ambiguity == Ambiguity::any ? within : 0};
}

std::vector<PatternLetter> pattern_letters(const Pattern& pattern, Strand strand, Ambiguity ambiguity) {
  std::vector<PatternLetter> letters;
  for (int offset = 0; offset < pattern.size(); ++offset) {
    const Code code = code_over(pattern, offset, strand);
    if (code != any_base) {
      letters.push_back({static_cast<std::uint8_t>(offset), planes_of(code, ambiguity)});
    }
  }
  return letters;
}

std::vector<GuideBlock> guide_blocks(std::span<const Guide> guides, Ambiguity ambiguity) {
  const std::size_t blocks = (guides.size() + guides_per_block - 1) / guides_per_block;
  std::vector<GuideBlock> all(2 * blocks);
  for (GuideBlock& block : all) {
    std::fill(std::begin(block.threshold), std::end(block.threshold), -1);
  }
  for (const Strand strand : {Strand::plus, Strand::minus}) {
    for (std::size_t guide = 0; guide < guides.size(); ++guide) {
      GuideBlock& block = all[(strand == Strand::plus ? 0 : blocks) + guide / guides_per_block];
      const std::size_t lane = guide % guides_per_block;
      const Pattern& sequence = guides[guide].sequence;
      block.threshold[lane] = guides[guide].threshold;
      for (int offset = 0; offset < sequence.size(); ++offset) {
        const std::uint8_t planes = planes_of(code_over(sequence, offset, strand), ambiguity);
        for (int plane = 0; plane < plane_count; ++plane) {
          block.mask[plane][lane] |= std::uint64_t{(planes >> plane) & 1U} << offset;
        }
      }
    }
  }
  return all;
}

}  // namespace phpc::casoff
