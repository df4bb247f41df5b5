#pragma once
#include <cstddef>

#include "phpc/cuda/detail/block.hpp"

#if !defined(PHPC_CUDA_PARSING)
#include "phpc/exec/target_region.hpp"

namespace phpc::cuda {
namespace detail {

/// The variable in shared memory that Tag names, uninitialised, one a thread block.
template <class T, class Tag>
[[nodiscard, gnu::always_inline]] inline T& shared() {
#if PHPC_GPU_PASS
  [[clang::loader_uninitialized]] alignas(alignof(T) > 16 ? alignof(T) : 16) static T variable;
#pragma omp allocate(variable) allocator(omp_pteam_mem_alloc)
  return variable;
#else
  static constinit SharedVariable variable;
  return *static_cast<T*>(phpc_cuda_shared_variable(&variable, sizeof(T)));
#endif
}

#if defined(__NVPTX__)
/// The hardware's registers: the launch has the sides of CUDA's grid and block.
[[nodiscard, gnu::always_inline]] inline Indices indices_here() {
  const auto number = [](int value) __attribute__((always_inline)) { return static_cast<std::uint32_t>(value); };
  return Indices{
      uint3{number(__nvvm_read_ptx_sreg_tid_x()), number(__nvvm_read_ptx_sreg_tid_y()), number(__nvvm_read_ptx_sreg_tid_z())},
      uint3{number(__nvvm_read_ptx_sreg_ctaid_x()), number(__nvvm_read_ptx_sreg_ctaid_y()),
            number(__nvvm_read_ptx_sreg_ctaid_z())},
      dim3(number(__nvvm_read_ptx_sreg_ntid_x()), number(__nvvm_read_ptx_sreg_ntid_y()), number(__nvvm_read_ptx_sreg_ntid_z())),
      dim3(number(__nvvm_read_ptx_sreg_nctaid_x()), number(__nvvm_read_ptx_sreg_nctaid_y()),
           number(__nvvm_read_ptx_sreg_nctaid_z()))};
}
#elif PHPC_GPU_PASS
/// The geometry of the launch, for functions that a kernel calls.
[[nodiscard, gnu::always_inline]] inline Geometry& shared_geometry() {
  return shared<Geometry, Geometry>();
}

[[nodiscard, gnu::always_inline]] inline Indices indices_here() {
  const Geometry geometry = shared_geometry();
  return Indices{geometry.thread_index(static_cast<std::uint32_t>(exec::gpu::thread_rank())),
                 geometry.block_index(static_cast<std::uint32_t>(exec::gpu::team_number())), geometry.block_dim(),
                 geometry.grid_dim()};
}
#endif

}  // namespace detail

/// The launch's dynamic shared memory as elements of type T: `extern __shared__ T name[]`.
template <class T>
[[nodiscard, gnu::always_inline]] inline T* dynamic_shared() {
#if PHPC_GPU_PASS
  return reinterpret_cast<T*>(exec::detail::team_memory(0, 0));
#else
  return reinterpret_cast<T*>(detail::phpc_cuda_here()->dynamic_shared);
#endif
}

}  // namespace phpc::cuda

/// `__shared__ float tile[16][16];` is written `auto& tile = PHPC_SHARED(float[16][16]);`.
/// In parentheses, since it may stand in a macro's argument, which a comma would end.
#define PHPC_SHARED(...) (phpc::cuda::detail::shared<__VA_ARGS__, decltype([] {})>())
/// The same for a variable that several functions name: `tag` is a type of its own.
#define PHPC_SHARED_AS(tag, ...) (phpc::cuda::detail::shared<__VA_ARGS__, tag>())
#endif
