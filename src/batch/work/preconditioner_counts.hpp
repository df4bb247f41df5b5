#pragma once
#include "batch/work/solve_counter.hpp"

namespace phpc::batch {

/// Counts what making a preconditioner of that kind does, whose table is the counter's.
void count_preparation(SolveCounter& counter, PatternKind kind);
/// Counts what applying it to a vector does.
void count_application(SolveCounter& counter, PatternKind kind, int vector);

}  // namespace phpc::batch
