#pragma once
#include "batch/work/solve_counter.hpp"

/// What a cycle of each method of batch/solver does; the rows of plan/method_rows.hpp name these functions (MethodRow::work). An
/// iteration is counted whole, the last one too.
namespace phpc::batch {

void count_bicgstab(SolveCounter& counter, index_t iterations, index_t number);
void count_cg(SolveCounter& counter, index_t iterations, index_t number);
void count_gmres(SolveCounter& counter, index_t iterations, index_t number);
void count_idr(SolveCounter& counter, index_t iterations, index_t number);
void count_richardson(SolveCounter& counter, index_t iterations, index_t number);
void count_lu(SolveCounter& counter, index_t iterations, index_t number);
void count_sparse_lu(SolveCounter& counter, index_t iterations, index_t number);
void count_tridiagonal(SolveCounter& counter, index_t iterations, index_t number);
void count_triangular(SolveCounter& counter, index_t iterations, index_t number);

}  // namespace phpc::batch
