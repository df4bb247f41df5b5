#pragma once
#include "batch/work/solve_counter.hpp"

namespace phpc::batch {

/// How the work of a method is counted.
struct MethodWork {
  /// Counts a cycle: count_...() of method_counts.hpp. `number` is the cycle's, 0 for a system's first.
  void (*count_cycle)(SolveCounter& counter, index_t iterations, index_t number);
  index_t longest_cycle = 0;  ///< most iterations of a cycle; 0 = any
};

/// Counts a solve of so many iterations from a guess of zero, in as few cycles as they take but in `least_cycles` at least:
/// preconditioner, cycles and what is around them (solver/solve_system.hpp). `inner` counts the cycles; it is `outer` itself, or,
/// where cycles are of float, a counter of its own. Not counted: scaling, histories, and residuals and sums that are made again
/// where rounding asks for it.
void count_solve(SolveCounter& outer, SolveCounter& inner, const MethodWork& method, index_t iterations,
                 index_t least_cycles = 1);

}  // namespace phpc::batch
