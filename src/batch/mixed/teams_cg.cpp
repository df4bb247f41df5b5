#include "batch/mixed/teams_launch_impl.hpp"
#include "batch/solver/cg.hpp"

namespace phpc::batch {

template void launch_mixed_teams<ConjugateGradients>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
