#pragma once
/// CUDA's device functions that are neither mathematics nor atomics: the integer, floating-point and SIMD intrinsics (by the
/// headers included here), loads and stores with a hint for the caches, clocks, and traps.
#include <type_traits>

#include "phpc/cuda/detail/float_intrinsics.hpp"
#include "phpc/cuda/detail/integer_intrinsics.hpp"
#include "phpc/cuda/detail/simd_intrinsics.hpp"
#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

#if PHPC_CUDA_NVPTX
namespace phpc::cuda::detail {

/// Loads a T that kernels only read, by the instruction for such data; T is trivially copyable.
template <class T>
PHPC_CUDA_FN T load_read_only(const T* address) {
  using Int2 = int __attribute__((ext_vector_type(2)));
  using Int4 = int __attribute__((ext_vector_type(4)));
  if constexpr (std::is_same_v<T, float>) {
    return __nvvm_ldg_f(address);
  } else if constexpr (std::is_same_v<T, double>) {
    return __nvvm_ldg_d(address);
  } else if constexpr (sizeof(T) == 1) {
    return __builtin_bit_cast(T, __nvvm_ldg_uc(reinterpret_cast<const unsigned char*>(address)));
  } else if constexpr (sizeof(T) == 2 && alignof(T) == 2) {
    return __builtin_bit_cast(T, __nvvm_ldg_us(reinterpret_cast<const unsigned short*>(address)));
  } else if constexpr (sizeof(T) == 4 && alignof(T) == 4) {
    return __builtin_bit_cast(T, __nvvm_ldg_i(reinterpret_cast<const int*>(address)));
  } else if constexpr (sizeof(T) == 8 && alignof(T) == 8) {
    return __builtin_bit_cast(T, __nvvm_ldg_i2(reinterpret_cast<const Int2*>(address)));
  } else if constexpr (sizeof(T) == 16 && alignof(T) == 16) {
    return __builtin_bit_cast(T, __nvvm_ldg_i4(reinterpret_cast<const Int4*>(address)));
  } else {
    return *address;
  }
}

}  // namespace phpc::cuda::detail

template <class T>
PHPC_CUDA_FN T __ldg(const T* address) {
  return phpc::cuda::detail::load_read_only(address);
}
#else
template <class T>
PHPC_CUDA_FN T __ldg(const T* address) {
  return *address;
}
#endif

// The other hints are only hints: plain loads and stores. __ldcv and __stwt promise that memory is read and written each time.
#define PHPC_CUDA_LOAD(NAME)              \
  template <class T>                      \
  PHPC_CUDA_FN T NAME(const T* address) { \
    return *address;                      \
  }
#define PHPC_CUDA_STORE(NAME)                                         \
  template <class T>                                                  \
  PHPC_CUDA_FN void NAME(T* address, std::type_identity_t<T> value) { \
    *address = value;                                                 \
  }
PHPC_CUDA_LOAD(__ldcg)
PHPC_CUDA_LOAD(__ldca)
PHPC_CUDA_LOAD(__ldcs)
PHPC_CUDA_LOAD(__ldlu)
PHPC_CUDA_STORE(__stcg)
PHPC_CUDA_STORE(__stcs)
PHPC_CUDA_STORE(__stwb)
#undef PHPC_CUDA_LOAD
#undef PHPC_CUDA_STORE
template <class T>
PHPC_CUDA_FN T __ldcv(const T* address) {
  if constexpr (std::is_scalar_v<T>) {
    return *static_cast<const volatile T*>(address);
  } else {
    T value;
    asm volatile("" ::: "memory");
    value = *address;
    asm volatile("" ::: "memory");
    return value;
  }
}
template <class T>
PHPC_CUDA_FN void __stwt(T* address, std::type_identity_t<T> value) {
  *address = value;
  asm volatile("" ::: "memory");
}

#if PHPC_CUDA_NVPTX
// The C library declares clock; kernels get the counter of their processor.
#pragma omp begin declare variant match(device = {arch(nvptx, nvptx64)}, implementation = {extension(match_any)})
extern "C" {
static __attribute__((always_inline, unused)) clock_t clock() noexcept {
  return __nvvm_read_ptx_sreg_clock();
}
}
#pragma omp end declare variant

/// Nanoseconds of a clock that all processors share.
PHPC_CUDA_FN unsigned long long int __globaltimer() {
  unsigned long long int time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}
PHPC_CUDA_FN void __nanosleep(unsigned int nanoseconds) {
  asm volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
PHPC_CUDA_FN unsigned int __isGlobal(const void* address) {
  return __nvvm_isspacep_global(address);
}
PHPC_CUDA_FN unsigned int __isShared(const void* address) {
  return __nvvm_isspacep_shared(address);
}
PHPC_CUDA_FN unsigned int __isConstant(const void* address) {
  return __nvvm_isspacep_const(address);
}
PHPC_CUDA_FN unsigned int __isLocal(const void* address) {
  return __nvvm_isspacep_local(address);
}
#else
#if !defined(__AMDGCN__) || defined(PHPC_CUDA_PARSING)
/// Nanoseconds of a clock that all processors share.
inline unsigned long long int __globaltimer() {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<unsigned long long int>(now.tv_sec) * 1000000000u + static_cast<unsigned long long int>(now.tv_nsec);
}
#else
PHPC_CUDA_FN unsigned long long int __globaltimer() {
  return __builtin_readcyclecounter();
}
#endif
/// A counter of the processor, in its own unit.
PHPC_CUDA_FN long long int clock64() {
#if defined(__x86_64__) && !defined(__AMDGCN__)  // a GPU's compilation has its host's macros too
  return static_cast<long long int>(__builtin_ia32_rdtsc());
#else
  return static_cast<long long int>(__globaltimer());
#endif
}
/// May wait for up to twice the time; hosts do not wait.
PHPC_CUDA_FN void __nanosleep(unsigned int) {}
PHPC_CUDA_FN void __trap() {
  __builtin_trap();
}
/// Stops for a debugger; nothing on hosts.
PHPC_CUDA_FN void __brkpt(int = 0) {}
#undef __prof_trigger  // clang defines one for AMD's GPUs with the instruction of NVIDIA's
#define __prof_trigger(counter) static_cast<void>(counter)
// All memory is global where there is no other.
PHPC_CUDA_FN unsigned int __isGlobal(const void*) {
  return 1;
}
PHPC_CUDA_FN unsigned int __isShared(const void*) {
  return 0;
}
PHPC_CUDA_FN unsigned int __isConstant(const void*) {
  return 0;
}
PHPC_CUDA_FN unsigned int __isLocal(const void*) {
  return 0;
}
#endif

PHPC_CUDA_END
