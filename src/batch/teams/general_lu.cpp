#include "batch/solver/dense_lu.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, DenseLu>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, DenseLu>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, DenseLu>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, DenseLu>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
