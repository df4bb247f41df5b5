#include "batch/mixed/teams_launch_impl.hpp"
#include "batch/solver/dense_lu.hpp"

namespace phpc::batch {

template void launch_mixed_teams<DenseLu>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
