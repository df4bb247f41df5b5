#pragma once
#include <cstddef>

#include "phpc/cuda/detail/internal_variable.hpp"

/// Variables that the host and devices share: `__managed__ int count = 3;` becomes `int count = 3;` with
/// PHPC_MANAGED_VARIABLE(count) after it, and each use of it PHPC_MANAGED(count). Where there are no devices, that is the
/// variable. Else it is memory as cudaMallocManaged gives it, which begins as a copy of the variable, and to which a pointer,
/// phpc_managed_count, leads on the host and on each device. Programs whose host runs alone read the variable itself.
#if !defined(PHPC_CUDA_PARSING)
namespace phpc::cuda::detail {

/// Gives all managed variables of the program their memory, of the first device. Throws nothing: where there is no memory, or no
/// device, the program ends with a message.
void place_managed_variables() noexcept;

/// The pointer to a managed variable; null until the host or a kernel first needs it.
template <class T>
struct Managed {
  T* memory = nullptr;

  [[nodiscard]] T& value() {
#if !PHPC_GPU_PASS && !defined(PHPC_X86_64_IMAGE)
    if (__atomic_load_n(&memory, __ATOMIC_ACQUIRE) == nullptr) [[unlikely]] {
      place_managed_variables();
    }
#endif
    return *memory;
  }
};

/// Makes a managed variable known, for the life of the process.
struct ManagedVariable {
  /// `pointer`: the host's Managed<T>::memory, by which the devices' own are found as device variables; `begin`: what the
  /// variable begins as.
  ManagedVariable(void* pointer, void* begin, std::size_t bytes);
};

}  // namespace phpc::cuda::detail

#if PHPC_WITH_OFFLOAD
#define PHPC_MANAGED(name) phpc_managed_##name.value()
/// Stands after a managed variable's definition, after one that is static, and after a declaration with `extern`.
#define PHPC_MANAGED_VARIABLE(name) PHPC_MANAGED_VARIABLE_OF(, name)
#define PHPC_STATIC_MANAGED_VARIABLE(name) PHPC_MANAGED_VARIABLE_OF(static, name)
#define PHPC_EXTERN_MANAGED_VARIABLE(name)                                \
  extern phpc::cuda::detail::Managed<decltype(name)> phpc_managed_##name; \
  PHPC_DEVICE_VARIABLE(phpc_managed_##name)
#define PHPC_MANAGED_VARIABLE_OF(storage, name)                            \
  storage phpc::cuda::detail::Managed<decltype(name)> phpc_managed_##name; \
  PHPC_DEVICE_VARIABLE(phpc_managed_##name)                                \
  PHPC_INTERNAL_VARIABLE(phpc_managed_##name)                              \
  [[maybe_unused]] static const phpc::cuda::detail::ManagedVariable phpc_known_##name(&phpc_managed_##name, &name, sizeof(name));
#else
#define PHPC_MANAGED(name) name
#define PHPC_MANAGED_VARIABLE(name)
#define PHPC_STATIC_MANAGED_VARIABLE(name)
#define PHPC_EXTERN_MANAGED_VARIABLE(name)
#endif
#endif
