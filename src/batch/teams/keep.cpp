#include "batch/precond/kept_preconditioner.hpp"
#include "batch/solver/dense_lu.hpp"
#include "batch/solver/sparse_lu.hpp"
#include "batch/solver/tridiagonal.hpp"
#include "batch/teams/keep_kernel.hpp"

namespace phpc::batch {

template void launch_keep_teams<float, DenseLu>(exec::Device, const SolveJob<float>&);
template void launch_keep_teams<double, DenseLu>(exec::Device, const SolveJob<double>&);
template void launch_keep_teams<Complex<float>, DenseLu>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_keep_teams<Complex<double>, DenseLu>(exec::Device, const SolveJob<Complex<double>>&);
template void launch_keep_teams<float, SparseLu>(exec::Device, const SolveJob<float>&);
template void launch_keep_teams<double, SparseLu>(exec::Device, const SolveJob<double>&);
template void launch_keep_teams<Complex<float>, SparseLu>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_keep_teams<Complex<double>, SparseLu>(exec::Device, const SolveJob<Complex<double>>&);
template void launch_keep_teams<float, Tridiagonal>(exec::Device, const SolveJob<float>&);
template void launch_keep_teams<double, Tridiagonal>(exec::Device, const SolveJob<double>&);
template void launch_keep_teams<Complex<float>, Tridiagonal>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_keep_teams<Complex<double>, Tridiagonal>(exec::Device, const SolveJob<Complex<double>>&);
template void launch_keep_teams<float, KeptPreconditioner>(exec::Device, const SolveJob<float>&);
template void launch_keep_teams<double, KeptPreconditioner>(exec::Device, const SolveJob<double>&);
template void launch_keep_teams<Complex<float>, KeptPreconditioner>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_keep_teams<Complex<double>, KeptPreconditioner>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
