#include "batch/solver/gmres.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, Gmres>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, Gmres>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, Gmres>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, Gmres>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
