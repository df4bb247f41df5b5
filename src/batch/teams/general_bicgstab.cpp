#include "batch/solver/bicgstab.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, BiCgStab>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, BiCgStab>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, BiCgStab>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, BiCgStab>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
