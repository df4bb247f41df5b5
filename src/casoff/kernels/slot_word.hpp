#pragma once
#include <cstdint>

#include "phpc/exec/pack.hpp"

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

/// Device code: words with one bit for each of 64 slots a lane, and what compilers need help with to do on them. A thread of a
/// GPU has one lane, one of the host as many as keep its vector units busy.
namespace phpc::casoff {

/// Lanes of a host thread: two registers of AVX-512, or one of an older processor.
inline constexpr int host_lanes = exec::integer_pack_bytes / 8 * (exec::integer_pack_bytes == 64 ? 2 : 1);

/// One bit for each of 64 * Lanes slots.
template <int Lanes>
using SlotWord = exec::Vector<std::uint64_t, Lanes>;

/// Returns bits [shift, shift + 64) of the 128 bits `high:low` of every lane; 0 <= shift < 64.
template <class Word>
[[nodiscard, gnu::always_inline]] inline Word shifted(const Word& low, const Word& high, int shift) {
#if defined(__AVX512VBMI2__)
  if constexpr (sizeof(Word) % sizeof(__m512i) == 0) {
    constexpr int parts = sizeof(Word) / sizeof(__m512i);
    __m512i pair[2][parts];
    __builtin_memcpy(pair[0], &low, sizeof(Word));
    __builtin_memcpy(pair[1], &high, sizeof(Word));
    const __m512i by_lane = _mm512_set1_epi64(shift);
#pragma GCC unroll 4
    for (int part = 0; part < parts; ++part) {
      pair[0][part] = _mm512_shrdv_epi64(pair[0][part], pair[1][part], by_lane);
    }
    Word bits;
    __builtin_memcpy(&bits, pair[0], sizeof(Word));
    return bits;
  }
#endif
  const auto by = static_cast<std::uint64_t>(shift);
  return (low >> by) | ((high << 1) << (63 - by));
}

/// Whether any bit is set.
template <int Lanes>
[[nodiscard, gnu::always_inline]] inline bool any_bit(const SlotWord<Lanes>& word) {
  if constexpr (Lanes == 1) {
    return word != 0;
#if defined(__AVX512F__)
  } else if constexpr (Lanes == 16) {
    __m512i part[2];
    __builtin_memcpy(part, &word, sizeof(part));
    const __m512i both = _mm512_or_si512(part[0], part[1]);
    return _mm512_test_epi64_mask(both, both) != 0;
#endif
  } else {
    std::uint64_t any = 0;
    for (int lane = 0; lane < Lanes; ++lane) {
      any |= word[lane];
    }
    return any != 0;
  }
}

/// Adds three bits of every slot (a full adder): leaves the bit of the sum in `sum` and returns the carry.
template <class Word>
[[nodiscard, gnu::always_inline]] inline Word full_add(Word& sum, const Word& a, const Word& b) {
#if defined(__AVX512F__)
  // Any function of three bits is one instruction, which clang 19 sees for the sum only.
  if constexpr (sizeof(Word) % sizeof(__m512i) == 0) {
    constexpr int parts = sizeof(Word) / sizeof(__m512i);
    __m512i in[3][parts];
    __m512i out[2][parts];
    __builtin_memcpy(in[0], &sum, sizeof(Word));
    __builtin_memcpy(in[1], &a, sizeof(Word));
    __builtin_memcpy(in[2], &b, sizeof(Word));
#pragma GCC unroll 4
    for (int part = 0; part < parts; ++part) {
      out[0][part] = _mm512_ternarylogic_epi64(in[0][part], in[1][part], in[2][part], 0x96);
      out[1][part] = _mm512_ternarylogic_epi64(in[0][part], in[1][part], in[2][part], 0xe8);
    }
    Word carry;
    __builtin_memcpy(&sum, out[0], sizeof(Word));
    __builtin_memcpy(&carry, out[1], sizeof(Word));
    return carry;
  }
#endif
  const Word either = sum ^ a;
  const Word carry = (sum & a) | (either & b);
  sum = either ^ b;
  return carry;
}

}  // namespace phpc::casoff
