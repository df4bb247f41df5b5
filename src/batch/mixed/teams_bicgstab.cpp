#include "batch/mixed/teams_launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_mixed_teams<BiCgStab>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
