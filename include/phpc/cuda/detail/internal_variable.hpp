#pragma once
#include <cstdint>

#include "phpc/cuda/kernel.hpp"

/// Device variables that only one source can name (static, const, in a namespace without a name). OpenMP does not tell the host
/// where these are on a device, so a kernel does.
#if !defined(PHPC_CUDA_PARSING)
namespace phpc::cuda::detail {

/// Writes a variable's address. Body: a lambda without captures that returns it; `where`: see launch_number.
template <std::uint64_t where, class Body>
struct AddressKernel {
  struct Scratch {};
  static constexpr int team_size = 32;
  void** address;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    if (team.rank() == 0) {
      *address = Body{}();
    }
  }
};

/// Writes the address that a variable has on `device` into memory of it.
using FindAddress = void (*)(exec::Device device, void** address);

template <std::uint64_t where, class Body>
void find_address(exec::Device device, void** address) {
  exec::launch(device, {.groups = 1}, AddressKernel<where, Body>{address});
}

/// Makes a variable known to the calls that take symbols, for the life of the process.
struct InternalVariable {
  InternalVariable(const void* variable, FindAddress find);
};

template <std::uint64_t where, class Body>
InternalVariable internal_variable(const void* variable, Body /*body*/) {
  return {variable, find_address<where, Body>};
}

}  // namespace phpc::cuda::detail

/// Stands after the definition of such a variable.
#define PHPC_INTERNAL_VARIABLE(name) PHPC_INTERNAL_VARIABLE_OF(name)
#define PHPC_INTERNAL_VARIABLE_OF(name)                                                                            \
  [[maybe_unused]] static const phpc::cuda::detail::InternalVariable phpc_internal_##name =                        \
      phpc::cuda::detail::internal_variable<phpc::cuda::detail::launch_number(__BASE_FILE__, __FILE__, __LINE__)>( \
          (const void*)&name, [] { return (void*)&name; });
/// Stands after the definition of a device variable that a macro makes, or that is a member of a class:
/// `#pragma omp declare target(name)`, where there are devices. (To g++ a private member has no name there.)
#if PHPC_WITH_OFFLOAD
#define PHPC_DEVICE_VARIABLE(name) PHPC_DEVICE_VARIABLE_OF(omp declare target(name))
#define PHPC_DEVICE_VARIABLE_OF(directive) _Pragma(#directive)
#else
#define PHPC_DEVICE_VARIABLE(name)
#endif
/// Stands after the definition of a `__constant__` variable: where a source is compiled as a whole program for NVIDIA GPUs, it
/// lies in constant memory (64 KiB, read for a warp at once). Code that is linked may reach it by a declaration that does not say
/// so.
#if defined(__NVPTX__) && PHPC_WHOLE_PROGRAM
#include <omp.h>
#define PHPC_CONSTANT(name) PHPC_DEVICE_VARIABLE_OF(omp allocate(name) allocator(omp_const_mem_alloc))
#else
#define PHPC_CONSTANT(name)
#endif
#endif
