#include "io/genomes/letter_run.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <numeric>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace phpc::io {

namespace {

constexpr std::array<ByteClass, 256> make_classes() {
  std::array<ByteClass, 256> classes{};
  for (const char letter : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-*.")) {
    classes[static_cast<unsigned char>(letter)] = ByteClass::letter;
  }
  classes[' '] = classes['\t'] = ByteClass::blank;
  classes['\n'] = classes['\r'] = ByteClass::end;
  return classes;
}

alignas(64) constexpr std::array<ByteClass, 256> classes = make_classes();

LetterRun take_bytes(std::string_view text, char* letters) {
  char* out = letters;
  std::size_t at = 0;
  for (; at < text.size() && classify(text[at]) != ByteClass::other; ++at) {
    *out = text[at];
    out += classify(text[at]) == ByteClass::letter ? 1 : 0;
  }
  return {at, static_cast<std::size_t>(out - letters)};
}

#if defined(__x86_64__)
[[gnu::target("avx512f,avx512bw,avx512vbmi,avx512vbmi2,popcnt")]] LetterRun take_avx512(std::string_view text, char* letters) {
  const __m512i low = _mm512_load_si512(classes.data());
  const __m512i high = _mm512_load_si512(classes.data() + 64);
  const __m512i one = _mm512_set1_epi8(static_cast<char>(ByteClass::letter));
  char* out = letters;
  std::size_t at = 0;
  for (; at + 64 <= text.size(); at += 64) {
    const __m512i bytes = _mm512_loadu_si512(text.data() + at);
    const __mmask64 ascii = ~_mm512_movepi8_mask(bytes);
    const __m512i kinds = _mm512_maskz_permutex2var_epi8(ascii, low, bytes, high);
    if (_mm512_test_epi8_mask(kinds, kinds) != ~std::uint64_t{0}) {
      break;
    }
    const __mmask64 kept = _mm512_cmpeq_epi8_mask(kinds, one);
    _mm512_storeu_si512(out, _mm512_maskz_compress_epi8(kept, bytes));
    out += std::popcount(static_cast<std::uint64_t>(kept));
  }
  return {at, static_cast<std::size_t>(out - letters)};
}

[[gnu::target("avx2")]] __m256i equals(__m256i bytes, char byte) {
  return _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte));
}

[[gnu::target("avx2,bmi,popcnt")]] LetterRun take_avx2(std::string_view text, char* letters) {
  char* out = letters;
  std::size_t at = 0;
  for (; at + 32 <= text.size(); at += 32) {
    const char* const from = text.data() + at;
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i place = _mm256_sub_epi8(_mm256_or_si256(bytes, _mm256_set1_epi8(0x20)), _mm256_set1_epi8('a'));
    const __m256i alphabetic = _mm256_cmpeq_epi8(_mm256_min_epu8(place, _mm256_set1_epi8(25)), place);
    auto kept = static_cast<std::uint32_t>(_mm256_movemask_epi8(alphabetic));
    if (kept != ~std::uint32_t{0}) {
      const __m256i signs = _mm256_or_si256(_mm256_or_si256(equals(bytes, '-'), equals(bytes, '*')), equals(bytes, '.'));
      kept |= static_cast<std::uint32_t>(_mm256_movemask_epi8(signs));
      const __m256i gaps = _mm256_or_si256(_mm256_or_si256(equals(bytes, '\n'), equals(bytes, '\r')),
                                           _mm256_or_si256(equals(bytes, ' '), equals(bytes, '\t')));
      if ((kept | static_cast<std::uint32_t>(_mm256_movemask_epi8(gaps))) != ~std::uint32_t{0}) {
        break;
      }
      // Runs of letters one by one, 32 bytes written for each: a line's end is one of 61 bytes as a rule.
      while (kept != 0) {
        const int first = std::countr_zero(kept);
        const int length = std::countr_one(kept >> first);
        _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + first)));
        out += length;
        kept = first + length == 32 ? 0 : kept & (~std::uint32_t{0} << (first + length));
      }
      continue;
    }
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(out), bytes);
    out += 32;
  }
  return {at, static_cast<std::size_t>(out - letters)};
}
#endif

}  // namespace

ByteClass classify(char byte) {
  return classes[static_cast<unsigned char>(byte)];
}

std::vector<TakeLetters> take_letters_forms() {
  std::vector<TakeLetters> forms;
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vbmi") && __builtin_cpu_supports("avx512vbmi2")) {
    forms.push_back(take_avx512);
  }
  if (__builtin_cpu_supports("avx2")) {
    forms.push_back(take_avx2);
  }
#endif
  forms.push_back(take_bytes);
  return forms;
}

LetterRun take_letters(std::string_view text, char* letters) {
  static const TakeLetters widest = take_letters_forms().front();
  const LetterRun run = widest(text, letters);
  // Ended by the text or by a byte among the next 64.
  const LetterRun rest = take_bytes(text.substr(run.taken), letters + run.letters);
  return {run.taken + rest.taken, run.letters + rest.letters};
}

std::uint64_t count_line_ends(std::string_view text) {
  std::uint64_t ends = 0;
  // In lanes of bytes, which take 255 each: this form becomes vector code.
  constexpr std::size_t lanes = 64;
  std::size_t done = 0;
  while (text.size() - done >= lanes) {
    std::array<std::uint8_t, lanes> counts{};
    const std::size_t rounds = std::min<std::size_t>(255, (text.size() - done) / lanes);
    for (std::size_t round = 0; round < rounds; ++round, done += lanes) {
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        counts[lane] = static_cast<std::uint8_t>(counts[lane] + (text[done + lane] == '\n' ? 1 : 0));
      }
    }
    ends += std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  }
  ends += static_cast<std::uint64_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(done), text.end(), '\n'));
  for (std::size_t at = text.find('\r'); at != std::string_view::npos; at = text.find('\r', at + 1)) {
    ends += at + 1 < text.size() && text[at + 1] == '\n' ? 0 : 1;
  }
  return ends;
}

}  // namespace phpc::io
