#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

/// What is searched for: IUPAC letters, the pattern that a site must fit (its PAM), and the guides it is compared with.
namespace phpc::casoff {

/// The bases that a letter may stand for: bit 0 A, bit 1 C, bit 2 G, bit 3 T.
using Code = std::uint8_t;
inline constexpr Code no_base = 0;
inline constexpr Code any_base = 15;

/// The code of an IUPAC nucleotide letter in either case, no_base for every other character (U included, as in Cas-OFFinder).
Code iupac_code(char letter);

/// The upper-case IUPAC letter of a code; no_base has none and gives '?'.
char iupac_letter(Code code);

/// The code of the complementary bases.
constexpr Code complement(Code code) {
  return static_cast<Code>(((code & 1) << 3) | ((code & 2) << 1) | ((code & 4) >> 1) | ((code & 8) >> 3));
}

/// The IUPAC complement of an upper-case letter; other characters stay what they are.
char complement_letter(char letter);

/// What a genome letter beside A, C, G, T means. A query letter outside IUPAC and N always match, whatever the policy.
enum class Ambiguity {
  /// Cas-OFFinder's table: such a letter mismatches A, C, G and T, and never mismatches a degenerate query letter.
  cas_offinder,
  /// It matches when every base it may be is in the query's code (R matches R, D and N, not A); non-IUPAC letters match only N.
  strict,
  /// It matches when at least one base it may be is in the query's code; non-IUPAC letters match only N.
  any,
};

/// "cas-offinder", "strict" or "any"; anything else is Error(usage).
Ambiguity parse_ambiguity(std::string_view name);

/// Whether an upper-case genome letter counts as a mismatch against a query code. The definition; kernels use masks made from it.
bool is_mismatch(Code query, char genome_letter, Ambiguity ambiguity);

/// The longest pattern: a window of the genome then fits one machine word a bit plane.
inline constexpr int max_pattern_length = 64;

/// Letters of a pattern or guide, upper-cased. Letters outside IUPAC (U, X, -) become codes that always match, as in
/// Cas-OFFinder; has_non_iupac_letters() tells, so that the caller can warn.
class Pattern {
 public:
  /// Throws Error(input) unless there are 1 to 64 letters (or '-').
  explicit Pattern(std::string_view letters);

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const std::vector<Code>& codes() const { return codes_; }
  [[nodiscard]] int size() const { return static_cast<int>(codes_.size()); }
  [[nodiscard]] bool has_non_iupac_letters() const { return has_non_iupac_letters_; }

 private:
  std::string text_;
  std::vector<Code> codes_;
  bool has_non_iupac_letters_ = false;
};

/// One query: as long as the pattern, N where it does not care (the PAM, as a rule).
struct Guide {
  Pattern sequence;
  index_t threshold = 0;  ///< sites with at most so many mismatches are hits; >= 0
  std::string id;         ///< free text of the user's; may be empty
};

}  // namespace phpc::casoff
