#pragma once
/// CUDA's vector types (char1 ... double4), their make_ functions, and dim3.
///
/// All are aggregates without arithmetic, as in CUDA, where users define the operators that they want.
#include <sys/types.h>  // uint, ushort, ulong

#include <type_traits>

#include "phpc/cuda/words.hpp"

/// Defines NAME1 ... NAME4 of members of type T. ALIGN2 and ALIGN4 are CUDA's alignments of the types of two and of four members,
/// in bytes; the types of one and of three members are aligned as T.
#define PHPC_CUDA_VECTOR_TYPES(NAME, T, ALIGN2, ALIGN4)               \
  struct NAME##1 {                                                    \
    T x;                                                              \
  };                                                                  \
  struct alignas(ALIGN2) NAME##2 {                                    \
    T x, y;                                                           \
  };                                                                  \
  struct NAME##3 {                                                    \
    T x, y, z;                                                        \
  };                                                                  \
  struct alignas(ALIGN4) NAME##4 {                                    \
    T x, y, z, w;                                                     \
  };                                                                  \
  PHPC_CUDA_FN constexpr NAME##1 make_##NAME##1(T x) {                \
    return {x};                                                       \
  }                                                                   \
  PHPC_CUDA_FN constexpr NAME##2 make_##NAME##2(T x, T y) {           \
    return {x, y};                                                    \
  }                                                                   \
  PHPC_CUDA_FN constexpr NAME##3 make_##NAME##3(T x, T y, T z) {      \
    return {x, y, z};                                                 \
  }                                                                   \
  PHPC_CUDA_FN constexpr NAME##4 make_##NAME##4(T x, T y, T z, T w) { \
    return {x, y, z, w};                                              \
  }

PHPC_CUDA_BEGIN

PHPC_CUDA_VECTOR_TYPES(char, signed char, 2, 4)
PHPC_CUDA_VECTOR_TYPES(uchar, unsigned char, 2, 4)
PHPC_CUDA_VECTOR_TYPES(short, short, 4, 8)
PHPC_CUDA_VECTOR_TYPES(ushort, unsigned short, 4, 8)
PHPC_CUDA_VECTOR_TYPES(int, int, 8, 16)
PHPC_CUDA_VECTOR_TYPES(uint, unsigned int, 8, 16)
PHPC_CUDA_VECTOR_TYPES(long, long int, 16, 16)
PHPC_CUDA_VECTOR_TYPES(ulong, unsigned long int, 16, 16)
PHPC_CUDA_VECTOR_TYPES(longlong, long long int, 16, 16)
PHPC_CUDA_VECTOR_TYPES(ulonglong, unsigned long long int, 16, 16)
PHPC_CUDA_VECTOR_TYPES(float, float, 8, 16)
PHPC_CUDA_VECTOR_TYPES(double, double, 16, 16)

#undef PHPC_CUDA_VECTOR_TYPES

/// The size of a grid in blocks or of a block in threads; what is not given is 1.
///
/// The arguments may be of any arithmetic or enumeration type, so that `dim3 block = {n, n}` compiles where n is a size_t: nvcc
/// only warns of that narrowing.
struct dim3 {  // NOLINT(readability-identifier-naming): CUDA's name
  unsigned int x = 1, y = 1, z = 1;

  constexpr dim3() = default;
  template <class X, class Y = unsigned int, class Z = unsigned int>
    requires std::is_convertible_v<X, unsigned int> && std::is_convertible_v<Y, unsigned int> &&
                 std::is_convertible_v<Z, unsigned int>
  constexpr dim3(X size_x, Y size_y = 1, Z size_z = 1)  // NOLINT(google-explicit-constructor): as in CUDA
      : x(static_cast<unsigned int>(size_x)), y(static_cast<unsigned int>(size_y)), z(static_cast<unsigned int>(size_z)) {}
  constexpr dim3(uint3 size) : x(size.x), y(size.y), z(size.z) {}        // NOLINT(google-explicit-constructor): as in CUDA
  constexpr operator uint3() const { return {.x = x, .y = y, .z = z}; }  // NOLINT(google-explicit-constructor): as in CUDA
};

PHPC_CUDA_END
