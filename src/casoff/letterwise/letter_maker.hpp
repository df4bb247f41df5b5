#pragma once
#include "casoff/letterwise/letters.hpp"
#include "phpc/core/base_word.hpp"
#include "phpc/core/types.hpp"

/// Device code: packed bases as letters.
namespace phpc::casoff {

/// Writes the letters of packed bases, 64 for each word: the IUPAC letter, '?' for a base without any bit.
struct LetterMaker {
  static constexpr int team_size = group_items;
  static constexpr int x86_64_team_size = 4;
  static constexpr int group_words = group_items / bases_per_word;
  struct Scratch {};

  const BaseWord* words;
  char* letters;
  index_t count;  ///< of words

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    for (int item = team.rank(); item < group_items; item += team.size()) {
      const index_t base = team.league_rank() * group_items + item;
      if (base >= count * bases_per_word) {
        break;
      }
      const BaseWord& word = words[base / bases_per_word];
      const int bit = static_cast<int>(base % bases_per_word);
      unsigned code = 0;
      for (unsigned plane = 0; plane < 4; ++plane) {
        code |= static_cast<unsigned>(word.may_be[plane] >> bit & 1U) << plane;
      }
      letters[base] = letter_of_code(code);
    }
  }
};

}  // namespace phpc::casoff
