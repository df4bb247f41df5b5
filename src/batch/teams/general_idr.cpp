#include "batch/solver/idr.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, Idr>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, Idr>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, Idr>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, Idr>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
