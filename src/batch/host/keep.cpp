#include "batch/host/keep_kernel.hpp"
#include "batch/precond/kept_preconditioner.hpp"
#include "batch/solver/dense_lu.hpp"
#include "batch/solver/sparse_lu.hpp"
#include "batch/solver/tridiagonal.hpp"

namespace phpc::batch {

template void launch_keep_lanes<float, DenseLu>(const SolveJob<float>&);
template void launch_keep_lanes<double, DenseLu>(const SolveJob<double>&);
template void launch_keep_lanes<Complex<float>, DenseLu>(const SolveJob<Complex<float>>&);
template void launch_keep_lanes<Complex<double>, DenseLu>(const SolveJob<Complex<double>>&);
template void launch_keep_lanes<float, SparseLu>(const SolveJob<float>&);
template void launch_keep_lanes<double, SparseLu>(const SolveJob<double>&);
template void launch_keep_lanes<Complex<float>, SparseLu>(const SolveJob<Complex<float>>&);
template void launch_keep_lanes<Complex<double>, SparseLu>(const SolveJob<Complex<double>>&);
template void launch_keep_lanes<float, Tridiagonal>(const SolveJob<float>&);
template void launch_keep_lanes<double, Tridiagonal>(const SolveJob<double>&);
template void launch_keep_lanes<Complex<float>, Tridiagonal>(const SolveJob<Complex<float>>&);
template void launch_keep_lanes<Complex<double>, Tridiagonal>(const SolveJob<Complex<double>>&);
template void launch_keep_lanes<float, KeptPreconditioner>(const SolveJob<float>&);
template void launch_keep_lanes<double, KeptPreconditioner>(const SolveJob<double>&);
template void launch_keep_lanes<Complex<float>, KeptPreconditioner>(const SolveJob<Complex<float>>&);
template void launch_keep_lanes<Complex<double>, KeptPreconditioner>(const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
