#pragma once
/// CUDA's floating-point intrinsics: bits, conversions and arithmetic with a chosen rounding, and the fast functions.
///
/// On NVIDIA's GPUs clang's own headers define these names. Elsewhere directed roundings are exact (rounding.hpp), and the fast
/// functions, whose errors CUDA leaves large, are the C library's.
#include "phpc/cuda/math.hpp"
#include "phpc/cuda/rounding.hpp"
#include "phpc/cuda/words.hpp"

#if !PHPC_CUDA_NVPTX
PHPC_CUDA_BEGIN

PHPC_CUDA_FN int __float_as_int(float x) {
  return __builtin_bit_cast(int, x);
}
PHPC_CUDA_FN unsigned int __float_as_uint(float x) {
  return __builtin_bit_cast(unsigned int, x);
}
PHPC_CUDA_FN float __int_as_float(int x) {
  return __builtin_bit_cast(float, x);
}
PHPC_CUDA_FN float __uint_as_float(unsigned int x) {
  return __builtin_bit_cast(float, x);
}
PHPC_CUDA_FN long long int __double_as_longlong(double x) {
  return __builtin_bit_cast(long long int, x);
}
PHPC_CUDA_FN double __longlong_as_double(long long int x) {
  return __builtin_bit_cast(double, x);
}
PHPC_CUDA_FN int __double2hiint(double x) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long int, x) >> 32);
}
PHPC_CUDA_FN int __double2loint(double x) {
  return static_cast<int>(__builtin_bit_cast(unsigned long long int, x));
}
PHPC_CUDA_FN double __hiloint2double(int high, int low) {
  return __builtin_bit_cast(
      double, static_cast<unsigned long long int>(static_cast<unsigned int>(high)) << 32 | static_cast<unsigned int>(low));
}

// Conversions: __float2int_rz and its kin.
#define PHPC_CUDA_CONVERSION(MODE)                                                                     \
  PHPC_CUDA_FN int __float2int_##MODE(float x) {                                                       \
    return phpc::cuda::detail::to_integer<int>(x, phpc::cuda::detail::Round::MODE);                    \
  }                                                                                                    \
  PHPC_CUDA_FN unsigned int __float2uint_##MODE(float x) {                                             \
    return phpc::cuda::detail::to_integer<unsigned int>(x, phpc::cuda::detail::Round::MODE);           \
  }                                                                                                    \
  PHPC_CUDA_FN long long int __float2ll_##MODE(float x) {                                              \
    return phpc::cuda::detail::to_integer<long long int>(x, phpc::cuda::detail::Round::MODE);          \
  }                                                                                                    \
  PHPC_CUDA_FN unsigned long long int __float2ull_##MODE(float x) {                                    \
    return phpc::cuda::detail::to_integer<unsigned long long int>(x, phpc::cuda::detail::Round::MODE); \
  }                                                                                                    \
  PHPC_CUDA_FN int __double2int_##MODE(double x) {                                                     \
    return phpc::cuda::detail::to_integer<int>(x, phpc::cuda::detail::Round::MODE);                    \
  }                                                                                                    \
  PHPC_CUDA_FN unsigned int __double2uint_##MODE(double x) {                                           \
    return phpc::cuda::detail::to_integer<unsigned int>(x, phpc::cuda::detail::Round::MODE);           \
  }                                                                                                    \
  PHPC_CUDA_FN long long int __double2ll_##MODE(double x) {                                            \
    return phpc::cuda::detail::to_integer<long long int>(x, phpc::cuda::detail::Round::MODE);          \
  }                                                                                                    \
  PHPC_CUDA_FN unsigned long long int __double2ull_##MODE(double x) {                                  \
    return phpc::cuda::detail::to_integer<unsigned long long int>(x, phpc::cuda::detail::Round::MODE); \
  }                                                                                                    \
  PHPC_CUDA_FN float __int2float_##MODE(int x) {                                                       \
    return phpc::cuda::detail::from_integer<float>(x, phpc::cuda::detail::Round::MODE);                \
  }                                                                                                    \
  PHPC_CUDA_FN float __uint2float_##MODE(unsigned int x) {                                             \
    return phpc::cuda::detail::from_integer<float>(x, phpc::cuda::detail::Round::MODE);                \
  }                                                                                                    \
  PHPC_CUDA_FN float __ll2float_##MODE(long long int x) {                                              \
    return phpc::cuda::detail::from_integer<float>(x, phpc::cuda::detail::Round::MODE);                \
  }                                                                                                    \
  PHPC_CUDA_FN float __ull2float_##MODE(unsigned long long int x) {                                    \
    return phpc::cuda::detail::from_integer<float>(x, phpc::cuda::detail::Round::MODE);                \
  }                                                                                                    \
  PHPC_CUDA_FN double __ll2double_##MODE(long long int x) {                                            \
    return phpc::cuda::detail::from_integer<double>(x, phpc::cuda::detail::Round::MODE);               \
  }                                                                                                    \
  PHPC_CUDA_FN double __ull2double_##MODE(unsigned long long int x) {                                  \
    return phpc::cuda::detail::from_integer<double>(x, phpc::cuda::detail::Round::MODE);               \
  }                                                                                                    \
  PHPC_CUDA_FN float __double2float_##MODE(double x) {                                                 \
    return phpc::cuda::detail::round_to_float(x, 0, phpc::cuda::detail::Round::MODE);                  \
  }

PHPC_CUDA_CONVERSION(rn)
PHPC_CUDA_CONVERSION(rz)
PHPC_CUDA_CONVERSION(ru)
PHPC_CUDA_CONVERSION(rd)
#undef PHPC_CUDA_CONVERSION
PHPC_CUDA_FN double __int2double_rn(int x) {
  return x;
}
PHPC_CUDA_FN double __uint2double_rn(unsigned int x) {
  return x;
}

// Arithmetic: __fadd_ru and its kin.
#define PHPC_CUDA_ARITHMETIC(MODE)                                                    \
  PHPC_CUDA_FN float __fadd_##MODE(float a, float b) {                                \
    return phpc::cuda::detail::add(a, b, phpc::cuda::detail::Round::MODE);            \
  }                                                                                   \
  PHPC_CUDA_FN float __fsub_##MODE(float a, float b) {                                \
    return phpc::cuda::detail::add(a, -b, phpc::cuda::detail::Round::MODE);           \
  }                                                                                   \
  PHPC_CUDA_FN float __fmul_##MODE(float a, float b) {                                \
    return phpc::cuda::detail::multiply(a, b, phpc::cuda::detail::Round::MODE);       \
  }                                                                                   \
  PHPC_CUDA_FN float __fdiv_##MODE(float a, float b) {                                \
    return phpc::cuda::detail::divide(a, b, phpc::cuda::detail::Round::MODE);         \
  }                                                                                   \
  PHPC_CUDA_FN float __fsqrt_##MODE(float x) {                                        \
    return phpc::cuda::detail::square_root(x, phpc::cuda::detail::Round::MODE);       \
  }                                                                                   \
  PHPC_CUDA_FN float __frcp_##MODE(float x) {                                         \
    return phpc::cuda::detail::divide(float{1}, x, phpc::cuda::detail::Round::MODE);  \
  }                                                                                   \
  PHPC_CUDA_FN double __dadd_##MODE(double a, double b) {                             \
    return phpc::cuda::detail::add(a, b, phpc::cuda::detail::Round::MODE);            \
  }                                                                                   \
  PHPC_CUDA_FN double __dsub_##MODE(double a, double b) {                             \
    return phpc::cuda::detail::add(a, -b, phpc::cuda::detail::Round::MODE);           \
  }                                                                                   \
  PHPC_CUDA_FN double __dmul_##MODE(double a, double b) {                             \
    return phpc::cuda::detail::multiply(a, b, phpc::cuda::detail::Round::MODE);       \
  }                                                                                   \
  PHPC_CUDA_FN double __ddiv_##MODE(double a, double b) {                             \
    return phpc::cuda::detail::divide(a, b, phpc::cuda::detail::Round::MODE);         \
  }                                                                                   \
  PHPC_CUDA_FN double __dsqrt_##MODE(double x) {                                      \
    return phpc::cuda::detail::square_root(x, phpc::cuda::detail::Round::MODE);       \
  }                                                                                   \
  PHPC_CUDA_FN double __drcp_##MODE(double x) {                                       \
    return phpc::cuda::detail::divide(double{1}, x, phpc::cuda::detail::Round::MODE); \
  }                                                                                   \
  PHPC_CUDA_FN float __fmaf_##MODE(float a, float b, float c) {                       \
    return phpc::cuda::detail::fma(a, b, c, phpc::cuda::detail::Round::MODE);         \
  }                                                                                   \
  PHPC_CUDA_FN float __fmaf_ieee_##MODE(float a, float b, float c) {                  \
    return phpc::cuda::detail::fma(a, b, c, phpc::cuda::detail::Round::MODE);         \
  }                                                                                   \
  PHPC_CUDA_FN double __fma_##MODE(double a, double b, double c) {                    \
    return phpc::cuda::detail::fma(a, b, c, phpc::cuda::detail::Round::MODE);         \
  }

PHPC_CUDA_ARITHMETIC(rz)
PHPC_CUDA_ARITHMETIC(ru)
PHPC_CUDA_ARITHMETIC(rd)
#if !PHPC_CUDA_DEVICE_MATH  // clang has these for AMD's GPUs too
PHPC_CUDA_ARITHMETIC(rn)
PHPC_CUDA_FN float __frsqrt_rn(float x) {
  return phpc::cuda::detail::reciprocal_root(x);
}

extern "C" {  // as glibc declares these names
PHPC_CUDA_FN float __sinf(float x) {
  return ::sinf(x);
}
PHPC_CUDA_FN float __cosf(float x) {
  return ::cosf(x);
}
PHPC_CUDA_FN float __tanf(float x) {
  return ::tanf(x);
}
PHPC_CUDA_FN float __expf(float x) {
  return ::expf(x);
}
PHPC_CUDA_FN float __logf(float x) {
  return ::logf(x);
}
PHPC_CUDA_FN float __log2f(float x) {
  return ::log2f(x);
}
PHPC_CUDA_FN float __log10f(float x) {
  return ::log10f(x);
}
PHPC_CUDA_FN float __exp10f(float x) {
  return ::exp10f(x);
}
PHPC_CUDA_FN float __powf(float a, float b) {
  return ::powf(a, b);
}
PHPC_CUDA_FN void __sincosf(float x, float* sine, float* cosine) {
  ::sincosf(x, sine, cosine);
}
}

PHPC_CUDA_FN float __fdividef(float a, float b) {
  return a / b;
}
/// x kept to [0, 1]; NaN gives 0.
PHPC_CUDA_FN float __saturatef(float x) {
  return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}
#endif
#undef PHPC_CUDA_ARITHMETIC

PHPC_CUDA_END
#endif
