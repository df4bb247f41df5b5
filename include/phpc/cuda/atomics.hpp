#pragma once
/// CUDA's atomic functions, relaxed in memory order as there.
///
/// They are templates that take the value's type from the pointer, so that atomicAdd(&x, 1u) with an int x, or atomicAdd(&f, 1.0)
/// with a float f, compile as they do over CUDA's overloads. A user's own function of the same name for a type that CUDA lacks
/// (say atomicMax(float*, float)) is preferred to them. A *_block function is the device-wide one: that is always enough.
#include <concepts>
#include <type_traits>

#include "phpc/cuda/vector_types.hpp"
#include "phpc/cuda/words.hpp"

PHPC_CUDA_BEGIN

namespace phpc::cuda::detail {

/// An integer of 32 or 64 bits.
template <class T>
concept AtomicInteger = std::integral<T> && (sizeof(T) == 4 || sizeof(T) == 8) && !std::is_const_v<T>;
/// What can be added to atomically by one instruction of a GPU.
template <class T>
concept AtomicNumber = AtomicInteger<T> || std::same_as<T, float> || std::same_as<T, double>;
/// What atomicCAS takes: any integer of 16, 32 or 64 bits.
template <class T>
concept AtomicWord = AtomicInteger<T> || (std::integral<T> && sizeof(T) == 2 && !std::is_const_v<T>);

/// The type of what a pointer to T points to, for a parameter that takes no part in the deduction of T.
template <class T>
using Value = std::remove_volatile_t<T>;

/// What an atomic function works on. On GPUs it is not volatile: a volatile access keeps a generic address there, although it is
/// known to be of global or shared memory. For the host it is, so that clang makes no other instruction of an atomic one, as a
/// load of the addition of 0: the passes for the host's code know waiting threads by these instructions.
#if PHPC_CUDA_NVPTX || defined(__AMDGCN__)
template <class T>
using Place = T;
#else
template <class T>
using Place = volatile T;
#endif

/// The pointer by which an atomic function works on what a user's pointer, volatile or not, points to.
template <class T>
PHPC_CUDA_FN Place<Value<T>>* place_of(T* address) {
  return const_cast<Value<T>*>(address);
}

/// The unsigned integer of T's size, as whose bits a T is exchanged.
template <class T>
using Bits =
    std::conditional_t<sizeof(T) == 8, unsigned long long int, std::conditional_t<sizeof(T) == 2, unsigned short, unsigned int>>;

/// Replaces *address by next(*address) in a loop of compare-and-swap; returns the old value.
template <class T, class Next>
PHPC_CUDA_FN T atomic_update(Place<T>* address, Next next) {
  auto* word = reinterpret_cast<Place<Bits<T>>*>(address);
  Bits<T> bits = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (true) {
    const T old = __builtin_bit_cast(T, bits);
    const Bits<T> wanted = __builtin_bit_cast(Bits<T>, static_cast<T>(next(old)));
    if (__atomic_compare_exchange_n(word, &bits, wanted, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      return old;
    }
  }
}

template <class T>
PHPC_CUDA_FN T atomic_add(Place<T>* address, T value) {
#if defined(__clang__)
  return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);  // atomicrmw, for floating point too
#else
  if constexpr (std::is_integral_v<T>) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
  } else {
    return atomic_update(address, [value](T old) { return old + value; });
  }
#endif
}

template <class T>
PHPC_CUDA_FN T atomic_sub(Place<T>* address, T value) {
  return __atomic_fetch_sub(address, value, __ATOMIC_RELAXED);
}

template <class T>
PHPC_CUDA_FN T atomic_exchange(Place<T>* address, T value) {
  auto* word = reinterpret_cast<Place<Bits<T>>*>(address);
  return __builtin_bit_cast(T, __atomic_exchange_n(word, __builtin_bit_cast(Bits<T>, value), __ATOMIC_RELAXED));
}

template <class T>
PHPC_CUDA_FN T atomic_min(Place<T>* address, T value) {
#if defined(__clang__)
  return __atomic_fetch_min(address, value, __ATOMIC_RELAXED);
#else
  return atomic_update(address, [value](T old) { return value < old ? value : old; });
#endif
}

template <class T>
PHPC_CUDA_FN T atomic_max(Place<T>* address, T value) {
#if defined(__clang__)
  return __atomic_fetch_max(address, value, __ATOMIC_RELAXED);
#else
  return atomic_update(address, [value](T old) { return old < value ? value : old; });
#endif
}

template <class T>
PHPC_CUDA_FN T atomic_and(Place<T>* address, T value) {
  return __atomic_fetch_and(address, value, __ATOMIC_RELAXED);
}

template <class T>
PHPC_CUDA_FN T atomic_or(Place<T>* address, T value) {
  return __atomic_fetch_or(address, value, __ATOMIC_RELAXED);
}

template <class T>
PHPC_CUDA_FN T atomic_xor(Place<T>* address, T value) {
  return __atomic_fetch_xor(address, value, __ATOMIC_RELAXED);
}

template <class T>
PHPC_CUDA_FN T atomic_cas(Place<T>* address, T compare, T value) {
  __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return compare;  // the old value in both cases
}

/// Counts up to `limit` and then from 0 again.
PHPC_CUDA_FN unsigned int atomic_inc(Place<unsigned int>* address, unsigned int limit) {
#if PHPC_CUDA_NVPTX
  return __nvvm_atom_inc_gen_ui(address, limit);
#else
  return atomic_update(address, [limit](unsigned int old) { return old >= limit ? 0u : old + 1u; });
#endif
}

/// Counts down to 0 and then from `limit` again.
PHPC_CUDA_FN unsigned int atomic_dec(Place<unsigned int>* address, unsigned int limit) {
#if PHPC_CUDA_NVPTX
  return __nvvm_atom_dec_gen_ui(address, limit);
#else
  return atomic_update(address, [limit](unsigned int old) { return old == 0 || old > limit ? limit : old - 1u; });
#endif
}

#if PHPC_CUDA_NVPTX
// On NVIDIA's GPUs an atomic instruction without a scope is atomic for one GPU; these are so for the host and other GPUs too.
#define PHPC_CUDA_SYSTEM_BITS(NAME, BUILTIN)                                                                                 \
  template <class T>                                                                                                         \
  PHPC_CUDA_FN T NAME##_system(T* address, T value) {                                                                        \
    if constexpr (sizeof(T) == 4) {                                                                                          \
      return __builtin_bit_cast(T, __nvvm_atom_sys_##BUILTIN##_gen_i(signed_word(address), __builtin_bit_cast(int, value))); \
    } else {                                                                                                                 \
      return __builtin_bit_cast(                                                                                             \
          T, __nvvm_atom_sys_##BUILTIN##_gen_ll(signed_word(address), __builtin_bit_cast(long long int, value)));            \
    }                                                                                                                        \
  }
// The builtins for unsigned minima and maxima compare signed in clang 19; hence the instructions themselves.
#define PHPC_CUDA_SYSTEM_ORDER(NAME, INSTRUCTION)                                                                   \
  template <class T>                                                                                                \
  PHPC_CUDA_FN T NAME##_system(T* address, T value) {                                                               \
    T old;                                                                                                          \
    if constexpr (std::is_signed_v<T>) {                                                                            \
      old = NAME##_signed_system(address, value);                                                                   \
    } else if constexpr (sizeof(T) == 4) {                                                                          \
      asm volatile("atom.sys." INSTRUCTION ".u32 %0, [%1], %2;" : "=r"(old) : "l"(address), "r"(value) : "memory"); \
    } else {                                                                                                        \
      asm volatile("atom.sys." INSTRUCTION ".u64 %0, [%1], %2;" : "=l"(old) : "l"(address), "l"(value) : "memory"); \
    }                                                                                                               \
    return old;                                                                                                     \
  }

/// The address as that of a signed integer of the same size.
template <class T>
PHPC_CUDA_FN auto* signed_word(T* address) {
  return reinterpret_cast<std::conditional_t<sizeof(T) == 8, long long int, int>*>(address);
}
PHPC_CUDA_SYSTEM_BITS(atomic_add_bits, add)
PHPC_CUDA_SYSTEM_BITS(atomic_exchange, xchg)
PHPC_CUDA_SYSTEM_BITS(atomic_and, and)
PHPC_CUDA_SYSTEM_BITS(atomic_or, or)
PHPC_CUDA_SYSTEM_BITS(atomic_xor, xor)
PHPC_CUDA_SYSTEM_BITS(atomic_min_signed, min)
PHPC_CUDA_SYSTEM_BITS(atomic_max_signed, max)
PHPC_CUDA_SYSTEM_ORDER(atomic_min, "min")
PHPC_CUDA_SYSTEM_ORDER(atomic_max, "max")
#undef PHPC_CUDA_SYSTEM_BITS
#undef PHPC_CUDA_SYSTEM_ORDER

template <class T>
PHPC_CUDA_FN T atomic_add_system(T* address, T value) {
  if constexpr (std::is_same_v<T, float>) {
    return __nvvm_atom_sys_add_gen_f(address, value);
  } else if constexpr (std::is_same_v<T, double>) {
    return __nvvm_atom_sys_add_gen_d(address, value);
  } else {
    return atomic_add_bits_system(address, value);
  }
}

template <class T>
PHPC_CUDA_FN T atomic_sub_system(T* address, T value) {
  return atomic_add_system(address, static_cast<T>(Bits<T>{0} - static_cast<Bits<T>>(value)));
}

template <class T>
PHPC_CUDA_FN T atomic_cas_system(T* address, T compare, T value) {
  if constexpr (sizeof(T) == 4) {
    return static_cast<T>(__nvvm_atom_sys_cas_gen_i(signed_word(address), static_cast<int>(compare), static_cast<int>(value)));
  } else if constexpr (sizeof(T) == 8) {
    return static_cast<T>(
        __nvvm_atom_sys_cas_gen_ll(signed_word(address), static_cast<long long int>(compare), static_cast<long long int>(value)));
  } else {
    return atomic_cas(address, compare, value);
  }
}

PHPC_CUDA_FN unsigned int atomic_inc_system(unsigned int* address, unsigned int limit) {
  return __nvvm_atom_sys_inc_gen_ui(address, limit);
}

PHPC_CUDA_FN unsigned int atomic_dec_system(unsigned int* address, unsigned int limit) {
  return __nvvm_atom_sys_dec_gen_ui(address, limit);
}
#endif

}  // namespace phpc::cuda::detail

// Each function three times: device-wide, for a block, and for the whole system.
#if PHPC_CUDA_NVPTX
#define PHPC_CUDA_SYSTEM(FUNCTION) FUNCTION##_system
#else
#define PHPC_CUDA_SYSTEM(FUNCTION) FUNCTION
#endif
#define PHPC_CUDA_ATOMIC_ONE(NAME, FUNCTION, CONCEPT)                                              \
  template <class T>                                                                               \
    requires phpc::cuda::detail::CONCEPT<phpc::cuda::detail::Value<T>>                             \
  PHPC_CUDA_FN phpc::cuda::detail::Value<T> NAME(T* address, phpc::cuda::detail::Value<T> value) { \
    return phpc::cuda::detail::FUNCTION(phpc::cuda::detail::place_of(address), value);             \
  }
#define PHPC_CUDA_ATOMIC(NAME, FUNCTION, CONCEPT)       \
  PHPC_CUDA_ATOMIC_ONE(NAME, FUNCTION, CONCEPT)         \
  PHPC_CUDA_ATOMIC_ONE(NAME##_block, FUNCTION, CONCEPT) \
  PHPC_CUDA_ATOMIC_ONE(NAME##_system, PHPC_CUDA_SYSTEM(FUNCTION), CONCEPT)

PHPC_CUDA_ATOMIC(atomicAdd, atomic_add, AtomicNumber)
PHPC_CUDA_ATOMIC(atomicSub, atomic_sub, AtomicInteger)
PHPC_CUDA_ATOMIC(atomicExch, atomic_exchange, AtomicNumber)
PHPC_CUDA_ATOMIC(atomicMin, atomic_min, AtomicInteger)
PHPC_CUDA_ATOMIC(atomicMax, atomic_max, AtomicInteger)
PHPC_CUDA_ATOMIC(atomicAnd, atomic_and, AtomicInteger)
PHPC_CUDA_ATOMIC(atomicOr, atomic_or, AtomicInteger)
PHPC_CUDA_ATOMIC(atomicXor, atomic_xor, AtomicInteger)

#define PHPC_CUDA_ATOMIC_CAS(NAME, FUNCTION)                                                       \
  template <class T>                                                                               \
    requires phpc::cuda::detail::AtomicWord<phpc::cuda::detail::Value<T>>                          \
  PHPC_CUDA_FN phpc::cuda::detail::Value<T> NAME(T* address, phpc::cuda::detail::Value<T> compare, \
                                                 phpc::cuda::detail::Value<T> value) {             \
    return phpc::cuda::detail::FUNCTION(phpc::cuda::detail::place_of(address), compare, value);    \
  }

PHPC_CUDA_ATOMIC_CAS(atomicCAS, atomic_cas)
PHPC_CUDA_ATOMIC_CAS(atomicCAS_block, atomic_cas)
PHPC_CUDA_ATOMIC_CAS(atomicCAS_system, PHPC_CUDA_SYSTEM(atomic_cas))

#define PHPC_CUDA_ATOMIC_COUNT(NAME, FUNCTION)                                                           \
  PHPC_CUDA_FN unsigned int NAME(volatile unsigned int* address, unsigned int limit) {                   \
    return phpc::cuda::detail::FUNCTION(phpc::cuda::detail::place_of(address), limit);                   \
  }                                                                                                      \
  PHPC_CUDA_FN unsigned int NAME##_block(volatile unsigned int* address, unsigned int limit) {           \
    return phpc::cuda::detail::FUNCTION(phpc::cuda::detail::place_of(address), limit);                   \
  }                                                                                                      \
  PHPC_CUDA_FN unsigned int NAME##_system(volatile unsigned int* address, unsigned int limit) {          \
    return phpc::cuda::detail::PHPC_CUDA_SYSTEM(FUNCTION)(phpc::cuda::detail::place_of(address), limit); \
  }

PHPC_CUDA_ATOMIC_COUNT(atomicInc, atomic_inc)
PHPC_CUDA_ATOMIC_COUNT(atomicDec, atomic_dec)

// Of a vector, each member is added to atomically by itself, which is all that CUDA promises.
#define PHPC_CUDA_ATOMIC_VECTOR(NAME)                                                                                        \
  PHPC_CUDA_FN float2 NAME(float2* address, float2 value) {                                                                  \
    return {NAME(&address->x, value.x), NAME(&address->y, value.y)};                                                         \
  }                                                                                                                          \
  PHPC_CUDA_FN float4 NAME(float4* address, float4 value) {                                                                  \
    return {NAME(&address->x, value.x), NAME(&address->y, value.y), NAME(&address->z, value.z), NAME(&address->w, value.w)}; \
  }

PHPC_CUDA_ATOMIC_VECTOR(atomicAdd)
PHPC_CUDA_ATOMIC_VECTOR(atomicAdd_block)
PHPC_CUDA_ATOMIC_VECTOR(atomicAdd_system)

#undef PHPC_CUDA_SYSTEM
#undef PHPC_CUDA_ATOMIC_ONE
#undef PHPC_CUDA_ATOMIC
#undef PHPC_CUDA_ATOMIC_CAS
#undef PHPC_CUDA_ATOMIC_COUNT
#undef PHPC_CUDA_ATOMIC_VECTOR

PHPC_CUDA_END
