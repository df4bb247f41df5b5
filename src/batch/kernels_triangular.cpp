#include "batch/solver/triangular.hpp"
#include "batch/team_launch_impl.hpp"

namespace phpc::batch {

template void launch_teams<float, LowerTriangularSolve>(exec::Device, std::string_view, int, const SolveJob<float>&);
template void launch_teams<double, LowerTriangularSolve>(exec::Device, std::string_view, int, const SolveJob<double>&);
template void launch_teams<float, UpperTriangularSolve>(exec::Device, std::string_view, int, const SolveJob<float>&);
template void launch_teams<double, UpperTriangularSolve>(exec::Device, std::string_view, int, const SolveJob<double>&);

}  // namespace phpc::batch
