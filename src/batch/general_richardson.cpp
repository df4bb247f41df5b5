#include "batch/general_launch_impl.hpp"
#include "batch/solver/richardson.hpp"

namespace phpc::batch {

template void launch_general_teams<float, Richardson>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, Richardson>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
