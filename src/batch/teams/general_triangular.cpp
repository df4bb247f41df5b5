#include "batch/solver/triangular.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, LowerTriangularSolve>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, LowerTriangularSolve>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, LowerTriangularSolve>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, LowerTriangularSolve>(exec::Device, const SolveJob<Complex<double>>&);
template void launch_general_teams<float, UpperTriangularSolve>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, UpperTriangularSolve>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, UpperTriangularSolve>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, UpperTriangularSolve>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
