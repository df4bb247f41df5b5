#include "phpc/core/base_word.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "core/pack_words.hpp"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace phpc {

namespace {

// By code: bits A, C, G, T from the lowest.
constexpr std::string_view letters_by_code = "?ACMGRSVTWYHKDBN";

/// Codes of all bytes; 0 for what is no IUPAC letter.
constexpr std::array<std::uint8_t, 256> make_code_table() {
  std::array<std::uint8_t, 256> table{};
  for (std::uint8_t code = 1; code < letters_by_code.size(); ++code) {
    const auto letter = static_cast<unsigned char>(letters_by_code[code]);
    table[letter] = code;
    table[letter + ('a' - 'A')] = code;
  }
  return table;
}

alignas(64) constexpr std::array<std::uint8_t, 256> code_table = make_code_table();

/// Bits of the first `count` bases of a word, 1 to 64.
std::uint64_t first_bits(index_t count) {
  return ~std::uint64_t{0} >> (bases_per_word - count);
}

/// Bit 0 of each of the eight bytes of `bytes`, lowest byte first, as one byte: the product brings bit 8k to bit 56 + k.
std::uint64_t gather_bits(std::uint64_t bytes) {
  return ((bytes & 0x0101010101010101U) * 0x0102040810204080U) >> 56;
}

void pack_words(const char* letters, index_t count, BaseWord* words) {
  for (index_t i = 0; i < count; ++i, letters += bases_per_word) {
    BaseWord word{};
    for (int group = 0; group < 8; ++group) {
      std::uint64_t eight = 0;
      for (int k = 0; k < 8; ++k) {
        eight |= std::uint64_t{code_table[static_cast<unsigned char>(letters[8 * group + k])]} << (8 * k);
      }
      for (int base = 0; base < 4; ++base) {
        word.may_be[base] |= gather_bits(eight >> base) << (8 * group);
      }
    }
    words[i] = word;
  }
}

#if defined(__x86_64__)
/// 64 codes by one look-up in a table of 128 bytes.
[[gnu::target("avx512f,avx512bw,avx512vbmi")]] void pack_words_avx512(const char* letters, index_t count, BaseWord* words) {
  const __m512i low = _mm512_load_si512(code_table.data());
  const __m512i high = _mm512_load_si512(code_table.data() + 64);
  for (index_t i = 0; i < count; ++i, letters += bases_per_word) {
    const __m512i bytes = _mm512_loadu_si512(letters);
    const __mmask64 ascii = ~_mm512_movepi8_mask(bytes);
    const __m512i codes = _mm512_maskz_permutex2var_epi8(ascii, low, bytes, high);
    words[i].may_be[0] = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(1));
    words[i].may_be[1] = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(2));
    words[i].may_be[2] = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(4));
    words[i].may_be[3] = _mm512_test_epi8_mask(codes, _mm512_set1_epi8(8));
  }
}

/// Codes of 16 bytes from `first` on, in both halves.
[[gnu::target("avx2")]] __m256i codes_from(int first) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(code_table.data() + first)));
}

/// Letters are 64 + n and 96 + n, n from 1 to 26: two look-ups by the lower four bits, and bit 4 chooses between them.
[[gnu::target("avx2")]] void pack_words_avx2(const char* letters, index_t count, BaseWord* words) {
  const __m256i first = codes_from('@');
  const __m256i second = codes_from('P');
  for (index_t i = 0; i < count; ++i, letters += bases_per_word) {
    for (int half = 0; half < 2; ++half) {
      const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(letters + 32 * half));
      const __m256i places = _mm256_and_si256(bytes, _mm256_set1_epi8(15));
      const __m256i choice = _mm256_slli_epi16(bytes, 3);
      __m256i codes = _mm256_blendv_epi8(_mm256_shuffle_epi8(first, places), _mm256_shuffle_epi8(second, places), choice);
      codes = _mm256_and_si256(codes, _mm256_cmpgt_epi8(bytes, _mm256_set1_epi8('@')));
      for (int base = 0; base < 4; ++base) {
        const auto bits = static_cast<std::uint32_t>(_mm256_movemask_epi8(_mm256_sll_epi16(codes, _mm_cvtsi32_si128(7 - base))));
        std::memcpy(reinterpret_cast<char*>(&words[i].may_be[base]) + 4 * half, &bits, sizeof bits);
      }
    }
  }
}
#endif

std::uint64_t any_bit(const BaseWord& word) {
  return word.may_be[0] | word.may_be[1] | word.may_be[2] | word.may_be[3];
}

}  // namespace

std::vector<PackWords> pack_words_forms() {
  std::vector<PackWords> forms;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vbmi")) {
    forms.push_back(pack_words_avx512);
  }
  if (__builtin_cpu_supports("avx2")) {
    forms.push_back(pack_words_avx2);
  }
#endif
  forms.push_back(pack_words);
  return forms;
}

index_t pack_bases(std::string_view letters, BaseWord* words) {
  static const PackWords pack = pack_words_forms().front();
  const auto whole = static_cast<index_t>(letters.size()) / bases_per_word;
  const auto rest = static_cast<index_t>(letters.size()) % bases_per_word;
  pack(letters.data(), whole, words);
  index_t known = 0;
  for (index_t i = 0; i < whole; ++i) {
    known += std::popcount(any_bit(words[i]));
  }
  if (rest > 0) {
    std::array<char, bases_per_word> last{};
    std::memcpy(last.data(), letters.data() + whole * bases_per_word, static_cast<std::size_t>(rest));
    pack(last.data(), 1, words + whole);
    known += std::popcount(any_bit(words[whole]));
  }
  return static_cast<index_t>(letters.size()) - known;
}

void copy_bases(BaseWord* to, index_t to_first, const BaseWord* from, index_t from_first, index_t count) {
  to += to_first / bases_per_word;
  const auto to_bit = static_cast<int>(to_first % bases_per_word);
  // The first word in part, so that what follows begins with a word of `to`.
  if (to_bit != 0 && count > 0) {
    const index_t taken = std::min<index_t>(count, bases_per_word - to_bit);
    BaseWord part{};
    copy_bases(&part, 0, from, from_first, taken);
    for (int base = 0; base < 4; ++base) {
      to->may_be[base] |= part.may_be[base] << to_bit;
    }
    ++to;
    from_first += taken;
    count -= taken;
  }
  from += from_first / bases_per_word;
  const auto shift = static_cast<int>(from_first % bases_per_word);
  const index_t whole = count / bases_per_word;
  if (shift == 0) {
    std::memcpy(to, from, static_cast<std::size_t>(whole) * sizeof(BaseWord));
  } else {
    for (index_t i = 0; i < whole; ++i) {
      for (int base = 0; base < 4; ++base) {
        to[i].may_be[base] = from[i].may_be[base] >> shift | from[i + 1].may_be[base] << (bases_per_word - shift);
      }
    }
  }
  if (const index_t rest = count % bases_per_word; rest > 0) {
    const std::uint64_t kept = first_bits(rest);
    const bool reaches_over = shift + rest > bases_per_word;
    for (int base = 0; base < 4; ++base) {
      std::uint64_t bits = from[whole].may_be[base] >> shift;
      if (reaches_over) {
        bits |= from[whole + 1].may_be[base] << (bases_per_word - shift);
      }
      to[whole].may_be[base] = bits & kept;
    }
  }
}

void set_n(BaseWord* words, index_t first, index_t end) {
  while (first < end) {
    const index_t bit = first % bases_per_word;
    const index_t count = std::min<index_t>(bases_per_word - bit, end - first);
    for (std::uint64_t& plane : words[first / bases_per_word].may_be) {
      plane |= first_bits(count) << bit;
    }
    first += count;
  }
}

char base_letter(std::span<const BaseWord> words, index_t base) {
  const BaseWord& word = words[static_cast<std::size_t>(base / bases_per_word)];
  unsigned code = 0;
  for (unsigned plane = 0; plane < 4; ++plane) {
    code |= static_cast<unsigned>(word.may_be[plane] >> (base % bases_per_word) & 1) << plane;
  }
  return letters_by_code[code];
}

}  // namespace phpc
