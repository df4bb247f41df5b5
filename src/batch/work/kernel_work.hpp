#pragma once
#include "batch/registers/register_job.hpp"
#include "batch/slices/slice_layout.hpp"
#include "batch/system/scratch_plan.hpp"
#include "batch/work/solve_counter.hpp"
#include "phpc/batch/work.hpp"

/// From what a solve does to bytes through caches and scratch, for each kind of kernels. Scratch that all lanes of a sub-group
/// read at one place counts once. What reductions leave in scratch is left out: a few values a sub-group.
namespace phpc::batch {

/// A system as a kernel finds it.
struct KernelSystem {
  index_t rows;
  index_t entries;
  index_t set_values;       ///< of the matrix as it lies in memory
  std::size_t value_bytes;  ///< of a number in the kernel's arithmetic
};

/// In the lanes of packs, whose indices serve all lanes. Work::memory_bytes is left at 0, here and in all that follow.
Work lanes_work(const KernelSystem& system, const SolveCounts& counts, int lanes);
/// In a team with its vectors in memory, as placed; off GPUs, scratch is memory.
Work teams_work(const KernelSystem& system, const SolveCounts& counts, const Placement& placement, bool on_gpu);

/// By CG or BiCGSTAB in registers, in a packed or dense shape.
Work registers_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape);
/// By cycles in slices whose values have `stored_bytes` in memory.
Work slices_work(const KernelSystem& system, const SolveCounts& counts, const SliceLayout& layout, std::size_t stored_bytes);
/// What is around cycles of float in slices: vectors in registers, the matrix in memory.
Work around_slices_work(const KernelSystem& system, const SolveCounts& counts, const SliceLayout& layout);

/// By LU in registers and in blocks, of which so many columns are in scratch at a time, in so many cycles.
Work register_lu_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t cycles);
Work block_lu_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t columns,
                   index_t cycles);
/// By chunks of tridiagonal rows: `counts` is all that a Krylov method does, or what is around so many eliminations.
Work chunks_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t eliminations);
/// By so many cycles in chunks, with values of `stored_bytes` in scratch: each takes the matrix to registers and, what
/// chunks_work() counts once for what is around them, reads and writes x. Each makes the preconditioner anew.
Work chunk_cycles_work(const KernelSystem& system, const SolveCounts& counts, const RegisterShape& shape, index_t cycles,
                       std::size_t stored_bytes);

}  // namespace phpc::batch
