#pragma once
#include "phpc/exec/pack.hpp"

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace phpc::exec {

/// Whether stores leave what they write in the caches, or go past them, for results that do not fit there.
enum class Stores { cached, streamed };

/// Stores a pack; `to` is aligned to a pack where the store is streamed.
template <class Real>
[[gnu::always_inline]] inline void store_pack(Real* to, Pack<Real> pack, Stores stores) {
  if (stores == Stores::cached) {
    store_pack(to, pack);
    return;
  }
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), reinterpret_cast<__m512i>(pack));
#elif defined(__AVX__)
  _mm256_stream_si256(reinterpret_cast<__m256i*>(to), reinterpret_cast<__m256i>(pack));
#elif defined(__SSE2__)
  _mm_stream_si128(reinterpret_cast<__m128i*>(to), reinterpret_cast<__m128i>(pack));
#else
  store_pack(to, pack);
#endif
}

/// Makes streamed stores of this thread visible before what it stores next.
inline void finish_streamed_stores() {
#if defined(__SSE2__)
  _mm_sfence();
#endif
}

}  // namespace phpc::exec
