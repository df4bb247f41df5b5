#include "batch/general_launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_general_teams<float, BiCgStab>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, BiCgStab>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
