#pragma once
#include "phpc/cuda/detail/block.hpp"
#include "phpc/cuda/detail/shared.hpp"

/// Barriers of a thread block and memory fences. On the host a barrier lets the other threads of the block run first.
PHPC_CUDA_BEGIN

#if defined(PHPC_CUDA_PARSING)  // __syncthreads is known to the compiler
int __syncthreads_count(int predicate);
int __syncthreads_and(int predicate);
int __syncthreads_or(int predicate);
void __threadfence();
void __threadfence_block();
void __threadfence_system();

#elif defined(__NVPTX__)
// __syncthreads is a builtin function, the others are defined by clang's own headers. LLVM 19 takes the result of its `and` for 0
// (seen in the assembly, and on an H200): counted instead.
namespace phpc::cuda::detail {
[[gnu::always_inline]] inline int block_has_no(bool predicate) {
  return __syncthreads_count(predicate ? 1 : 0) == 0 ? 1 : 0;
}
}  // namespace phpc::cuda::detail
#define __syncthreads_and(predicate) phpc::cuda::detail::block_has_no((predicate) == 0)

#elif PHPC_GPU_PASS
[[gnu::always_inline]] inline void __syncthreads() {
  phpc::exec::gpu::team_barrier();
}
[[gnu::always_inline]] inline void __threadfence() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "agent");
}
[[gnu::always_inline]] inline void __threadfence_block() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "workgroup");
}
[[gnu::always_inline]] inline void __threadfence_system() {
  __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, "");
}
[[gnu::always_inline]] inline int __syncthreads_count(int predicate) {
  int& count = phpc::cuda::detail::shared<int, struct phpc_votes>();
  __syncthreads();
  if (phpc::exec::gpu::thread_rank() == 0) {
    count = 0;
  }
  __syncthreads();
  if (predicate != 0) {
    __atomic_fetch_add(&count, 1, __ATOMIC_RELAXED);
  }
  __syncthreads();
  const int result = count;
  __syncthreads();
  return result;
}
[[gnu::always_inline]] inline int __syncthreads_or(int predicate) {
  return __syncthreads_count(predicate) != 0 ? 1 : 0;
}
[[gnu::always_inline]] inline int __syncthreads_and(int predicate) {
  return __syncthreads_count(predicate == 0 ? 1 : 0) == 0 ? 1 : 0;
}

#else
PHPC_CONVERGENT [[gnu::always_inline]] inline void __syncthreads() {
  phpc::cuda::detail::phpc_cuda_barrier(false);
}
PHPC_CONVERGENT [[gnu::always_inline]] inline int __syncthreads_count(int predicate) {
  return phpc::cuda::detail::phpc_cuda_barrier(predicate != 0).votes;
}
PHPC_CONVERGENT [[gnu::always_inline]] inline int __syncthreads_and(int predicate) {
  const phpc::cuda::detail::BarrierVotes all = phpc::cuda::detail::phpc_cuda_barrier(predicate != 0);
  return all.votes == all.waiting ? 1 : 0;
}
PHPC_CONVERGENT [[gnu::always_inline]] inline int __syncthreads_or(int predicate) {
  return __syncthreads_count(predicate) != 0 ? 1 : 0;
}
inline void __threadfence() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_block() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
inline void __threadfence_system() {
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
#endif

PHPC_CUDA_END
