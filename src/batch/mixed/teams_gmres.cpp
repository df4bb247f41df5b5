#include "batch/mixed/teams_launch_impl.hpp"
#include "batch/solver/gmres.hpp"

namespace phpc::batch {

template void launch_mixed_teams<Gmres>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
