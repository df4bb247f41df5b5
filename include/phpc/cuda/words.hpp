#pragma once
/// CUDA's words (`__device__`, `__launch_bounds__`, ...), version macros, and the C headers that kernels may call into.
///
/// In parse mode (PHPC_CUDA_PARSING: the translator reads a CUDA source with these headers) the words are clang's attributes. In
/// every other compilation the translator has already acted on them, and what still stands in a user's macro means nothing.

// The C++ headers come first: in parse mode their functions must stay host functions, and the C headers below would include them.
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#if defined(PHPC_CUDA_PARSING)
/// Between these two, every function may be called from kernels and from the host.
#define PHPC_CUDA_BEGIN _Pragma("clang force_cuda_host_device begin")
#define PHPC_CUDA_END _Pragma("clang force_cuda_host_device end")
#else
#define PHPC_CUDA_BEGIN
#define PHPC_CUDA_END
#endif

PHPC_CUDA_BEGIN
#include <cmath>
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_MATH_H)
// libstdc++'s <math.h> makes C++20's std::lerp a global name, which many CUDA sources (NVIDIA's helper_math.h) define themselves.
// Instead of it, the same names but that one.
#define _GLIBCXX_MATH_H 1
using std::abs, std::acos, std::asin, std::atan, std::atan2, std::cos, std::sin, std::tan, std::cosh, std::sinh, std::tanh,
    std::exp, std::frexp, std::ldexp, std::log, std::log10, std::modf, std::pow, std::sqrt, std::ceil, std::fabs, std::floor,
    std::fmod;
using std::acosh, std::asinh, std::atanh, std::cbrt, std::copysign, std::erf, std::erfc, std::exp2, std::expm1, std::fdim,
    std::fma, std::fmax, std::fmin, std::hypot, std::ilogb, std::lgamma, std::llrint, std::llround, std::log1p, std::log2,
    std::logb, std::lrint, std::lround, std::nearbyint, std::nextafter, std::nexttoward, std::remainder, std::remquo, std::rint,
    std::round, std::scalbln, std::scalbn, std::tgamma, std::trunc;
using std::fpclassify, std::isfinite, std::isinf, std::isnan, std::isnormal, std::signbit, std::isgreater, std::isgreaterequal,
    std::isless, std::islessequal, std::islessgreater, std::isunordered;
#endif
#include <assert.h>
#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
PHPC_CUDA_END

// libstdc++ writes __attribute__((__noinline__)) in a header of <memory>: read it before the word becomes a macro. (In parse mode
// clang's wrappers of that header see to it. What is not read there takes no memory.)
#if !defined(PHPC_CUDA_PARSING)
#include <memory>
#include <string>
#endif

/// 1 wherever the CUDA headers are used: the translator turns a source's tests of __CUDACC__ into tests of this.
#define PHPC_CUDA 1
/// The compute capability that kernels are compiled for, as in __CUDA_ARCH__, whose tests become tests of this.
#define PHPC_CUDA_ARCH 900

/// By these, other headers ask whether CUDA's own came before them, which nvcc includes by itself (helper_cuda.h of NVIDIA's
/// samples).
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__
#endif
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__
#endif
#ifndef __DRIVER_TYPES_H__
#define __DRIVER_TYPES_H__
#endif
// nvcc warns of `register`, which C++17 has no more.
#pragma GCC diagnostic ignored "-Wregister"

#ifndef CUDART_VERSION
#define CUDART_VERSION 12000
#endif
#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif
#ifndef __CUDACC_VER_MAJOR__
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 0
#endif

#if defined(PHPC_CUDA_PARSING)
#ifndef __CUDACC__
#define __CUDACC__ 1
#endif
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device)) __attribute__((annotate("phpc_managed")))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
// __noinline__ is a keyword of clang's CUDA.
#else
// __shared__ and __managed__ stay unknown: dropped in silence they would make a variable of the wrong kind.
#define __host__
#define __device__
#define __global__
#define __constant__
#define __launch_bounds__(...)
#ifndef __noinline__
#define __noinline__ __attribute__((noinline))
#endif
#endif

#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
#define __grid_constant__
#define __cluster_dims__(...)
#define __maxnreg__(n)
#define __nv_pure__ __attribute__((pure))
#define __device_builtin__
#define __cudart_builtin__
#define CUDARTAPI
#define CUDARTAPI_CDECL
#define CUDART_CB
#define CUDAAPI
#define CUDA_CB

/// Begins the definition of a small function under one of CUDA's names.
#define PHPC_CUDA_FN [[gnu::always_inline]] inline

/// 1 in a compilation for NVIDIA's GPUs, where clang's own headers already define most of CUDA's device functions. (The parse
/// mode is for the host, though clang predefines __NVPTX__ there too.)
#if defined(__NVPTX__) && !defined(PHPC_CUDA_PARSING)
#define PHPC_CUDA_NVPTX 1
#else
#define PHPC_CUDA_NVPTX 0
#endif
/// 1 in a compilation for any GPU, where clang's own headers give the mathematical functions of the vendor's device library.
#if PHPC_CUDA_NVPTX || (defined(__AMDGCN__) && !defined(PHPC_CUDA_PARSING))
#define PHPC_CUDA_DEVICE_MATH 1
#else
#define PHPC_CUDA_DEVICE_MATH 0
#endif
