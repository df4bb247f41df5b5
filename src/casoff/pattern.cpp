#include "phpc/casoff/pattern.hpp"

#include <array>

#include "phpc/core/error.hpp"

namespace phpc::casoff {

namespace {

// Letters by code, whose bits from the lowest on are A, C, G, T.
constexpr std::string_view letters_by_code = "?ACMGRSVTWYHKDBN";

constexpr std::array<Code, 256> make_code_table() {
  std::array<Code, 256> table{};
  for (Code code = 1; code < letters_by_code.size(); ++code) {
    const auto letter = static_cast<unsigned char>(letters_by_code[code]);
    table[letter] = code;
    table[letter + ('a' - 'A')] = code;
  }
  return table;
}

constexpr std::array<Code, 256> code_table = make_code_table();

constexpr bool is_exact(Code code) {
  return (code & (code - 1)) == 0;
}

}  // namespace

Code iupac_code(char letter) {
  return code_table[static_cast<unsigned char>(letter)];
}

char iupac_letter(Code code) {
  return letters_by_code[code];
}

char complement_letter(char letter) {
  const Code code = iupac_code(letter);
  return code == no_base ? letter : iupac_letter(complement(code));
}

Ambiguity parse_ambiguity(std::string_view name) {
  if (name == "cas-offinder") {
    return Ambiguity::cas_offinder;
  }
  if (name == "strict") {
    return Ambiguity::strict;
  }
  if (name == "any") {
    return Ambiguity::any;
  }
  fail(ErrorKind::usage,
       "no policy for ambiguous letters is called '" + std::string(name) + "'; give cas-offinder, strict or any");
}

bool is_mismatch(Code query, char genome_letter, Ambiguity ambiguity) {
  if (query == any_base) {
    return false;
  }
  const Code genome = iupac_code(genome_letter);
  switch (ambiguity) {
    case Ambiguity::cas_offinder:
      return genome != no_base && is_exact(genome) ? (genome & query) == 0 : is_exact(query);
    case Ambiguity::strict:
      return genome == no_base || (genome & ~query) != 0;
    case Ambiguity::any:
      return (genome & query) == 0;
  }
  return true;
}

Pattern::Pattern(std::string_view letters) : text_(letters) {
  PHPC_VALIDATE(!text_.empty(), ErrorKind::input, "the sequence is empty; give IUPAC letters");
  PHPC_VALIDATE(text_.size() <= max_pattern_length, ErrorKind::input,
                "a sequence of " + std::to_string(text_.size()) + " letters is too long (the limit is " +
                    std::to_string(max_pattern_length) + ")");
  codes_.reserve(text_.size());
  for (char& letter : text_) {
    if (letter >= 'a' && letter <= 'z') {
      letter = static_cast<char>(letter - 'a' + 'A');
    }
    PHPC_VALIDATE((letter >= 'A' && letter <= 'Z') || letter == '-', ErrorKind::input,
                  "'" + text_ + "' is no sequence; give IUPAC letters (ACGT RYSWKM BDHV N)");
    const Code code = iupac_code(letter);
    has_non_iupac_letters_ = has_non_iupac_letters_ || code == no_base;
    codes_.push_back(code == no_base ? any_base : code);
  }
}

}  // namespace phpc::casoff
