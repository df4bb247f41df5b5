#include "batch/general_launch_impl.hpp"
#include "batch/solver/idr.hpp"

namespace phpc::batch {

template void launch_general_teams<float, Idr>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, Idr>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
