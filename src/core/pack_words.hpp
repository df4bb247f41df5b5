#pragma once
#include <vector>

#include "phpc/core/base_word.hpp"

namespace phpc {

/// Packs 64 * `count` letters into `count` words.
using PackWords = void (*)(const char* letters, index_t count, BaseWord* words);

/// The forms of it that this processor can run, the fastest first; all do the same.
std::vector<PackWords> pack_words_forms();

}  // namespace phpc
