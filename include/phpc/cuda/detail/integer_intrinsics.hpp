#pragma once
/// CUDA's integer intrinsics: bits, high halves of products, averages, sums of absolute differences, dot products.
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

#if !PHPC_CUDA_NVPTX
PHPC_CUDA_FN int __popc(unsigned int x) {
  return __builtin_popcount(x);
}
PHPC_CUDA_FN int __popcll(unsigned long long int x) {
  return __builtin_popcountll(x);
}
/// The number of zero bits above the highest set one.
PHPC_CUDA_FN int __clz(int x) {
  return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x));
}
PHPC_CUDA_FN int __clzll(long long int x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long int>(x));
}
/// The place of the lowest set bit, counted from 1; 0 if there is none.
PHPC_CUDA_FN int __ffs(int x) {
  return __builtin_ffs(x);
}
PHPC_CUDA_FN int __ffsll(long long int x) {
  return __builtin_ffsll(x);
}
/// The bits in reverse order.
PHPC_CUDA_FN unsigned long long int __brevll(unsigned long long int x) {
  x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
  x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
  return __builtin_bswap64(x);
}
PHPC_CUDA_FN unsigned int __brev(unsigned int x) {
  return static_cast<unsigned int>(__brevll(x) >> 32);
}

PHPC_CUDA_FN unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(static_cast<unsigned long long int>(a) * b >> 32);
}
PHPC_CUDA_FN int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long int>(a) * b >> 32);
}
PHPC_CUDA_FN unsigned long long int __umul64hi(unsigned long long int a, unsigned long long int b) {
  return static_cast<unsigned long long int>(static_cast<unsigned __int128>(a) * b >> 64);
}
PHPC_CUDA_FN long long int __mul64hi(long long int a, long long int b) {
  return static_cast<long long int>(static_cast<__int128>(a) * b >> 64);
}
/// The low 32 bits of the product of the factors' low 24 bits.
PHPC_CUDA_FN unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
PHPC_CUDA_FN int __mul24(int a, int b) {
  const auto signed24 = [](int x) { return static_cast<unsigned int>(static_cast<int>(static_cast<unsigned int>(x) << 8) >> 8); };
  return static_cast<int>(signed24(a) * signed24(b));
}

/// Four bytes out of the eight of b:a, chosen by the nibbles of the selector; a nibble's high bit spreads the byte's sign.
PHPC_CUDA_FN unsigned int __byte_perm(unsigned int a, unsigned int b, unsigned int selector) {
  const unsigned long long int bytes = static_cast<unsigned long long int>(b) << 32 | a;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int choice = selector >> (4 * i) & 0xfu;
    const unsigned int byte = static_cast<unsigned int>(bytes >> (8 * (choice & 7u))) & 0xffu;
    result |= ((choice & 8u) == 0 ? byte : (byte & 0x80u) != 0 ? 0xffu : 0u) << (8 * i);
  }
  return result;
}

/// |a - b| + c.
PHPC_CUDA_FN unsigned int __usad(unsigned int a, unsigned int b, unsigned int c) {
  return (a > b ? a - b : b - a) + c;
}
PHPC_CUDA_FN unsigned int __sad(int a, int b, unsigned int c) {
  return (a > b ? static_cast<unsigned int>(a) - static_cast<unsigned int>(b)
                : static_cast<unsigned int>(b) - static_cast<unsigned int>(a)) +
         c;
}

// Averages without overflow; those with an r round up.
PHPC_CUDA_FN int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long int>(a) + b) >> 1);
}
PHPC_CUDA_FN int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long int>(a) + b + 1) >> 1);
}
PHPC_CUDA_FN unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long int>(a) + b) >> 1);
}
PHPC_CUDA_FN unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long int>(a) + b + 1) >> 1);
}
#endif

// Shifts of the 64 bits high:low; the plain ones take the shift modulo 32, those with a c (clamp) no further than 32.
PHPC_CUDA_FN unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long int>(high) << 32 | low) << (shift & 31u) >> 32);
}
PHPC_CUDA_FN unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? low : __funnelshift_l(low, high, shift);
}
PHPC_CUDA_FN unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long int>(high) << 32 | low) >> (shift & 31u));
}
PHPC_CUDA_FN unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int shift) {
  return shift >= 32 ? high : __funnelshift_r(low, high, shift);
}

namespace phpc::cuda::detail {

/// Lane number i of a word, as a Lane (an integer of 8 or 16 bits), widened.
template <class Lane, class Word>
PHPC_CUDA_FN int lane_of(Word word, int i) {
  return static_cast<Lane>(static_cast<unsigned int>(word) >> (8 * static_cast<int>(sizeof(Lane)) * i));
}

/// The sum of products of `Count` lanes of a with bytes of b from byte `first` on, and c, modulo 2^32.
template <class LaneA, class LaneB, int Count, class A, class B, class Sum>
PHPC_CUDA_FN Sum dot(A a, B b, Sum c, int first) {
  unsigned int sum = static_cast<unsigned int>(c);
  for (int i = 0; i < Count; ++i) {
    sum += static_cast<unsigned int>(lane_of<LaneA>(a, i) * lane_of<LaneB>(b, first + i));
  }
  return static_cast<Sum>(sum);
}

}  // namespace phpc::cuda::detail

// Dot products of bytes with bytes, and of two half-words with the low or the high two bytes.
PHPC_CUDA_FN int __dp4a(int a, int b, int c) {
  return phpc::cuda::detail::dot<signed char, signed char, 4>(a, b, c, 0);
}
PHPC_CUDA_FN int __dp4a(char4 a, char4 b, int c) {
  return __dp4a(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
PHPC_CUDA_FN int __dp2a_lo(int a, int b, int c) {
  return phpc::cuda::detail::dot<short, signed char, 2>(a, b, c, 0);
}
PHPC_CUDA_FN int __dp2a_lo(short2 a, char4 b, int c) {
  return __dp2a_lo(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
PHPC_CUDA_FN int __dp2a_hi(int a, int b, int c) {
  return phpc::cuda::detail::dot<short, signed char, 2>(a, b, c, 2);
}
PHPC_CUDA_FN int __dp2a_hi(short2 a, char4 b, int c) {
  return __dp2a_hi(__builtin_bit_cast(int, a), __builtin_bit_cast(int, b), c);
}
PHPC_CUDA_FN unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c) {
  return phpc::cuda::detail::dot<unsigned char, unsigned char, 4>(a, b, c, 0);
}
PHPC_CUDA_FN unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int c) {
  return __dp4a(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
PHPC_CUDA_FN unsigned int __dp2a_lo(unsigned int a, unsigned int b, unsigned int c) {
  return phpc::cuda::detail::dot<unsigned short, unsigned char, 2>(a, b, c, 0);
}
PHPC_CUDA_FN unsigned int __dp2a_lo(ushort2 a, uchar4 b, unsigned int c) {
  return __dp2a_lo(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}
PHPC_CUDA_FN unsigned int __dp2a_hi(unsigned int a, unsigned int b, unsigned int c) {
  return phpc::cuda::detail::dot<unsigned short, unsigned char, 2>(a, b, c, 2);
}
PHPC_CUDA_FN unsigned int __dp2a_hi(ushort2 a, uchar4 b, unsigned int c) {
  return __dp2a_hi(__builtin_bit_cast(unsigned int, a), __builtin_bit_cast(unsigned int, b), c);
}

PHPC_CUDA_END
