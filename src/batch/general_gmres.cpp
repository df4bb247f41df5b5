#include "batch/general_launch_impl.hpp"
#include "batch/solver/gmres.hpp"

namespace phpc::batch {

template void launch_general_teams<float, Gmres>(exec::Device, int, const SolveJob<float>&);
template void launch_general_teams<double, Gmres>(exec::Device, int, const SolveJob<double>&);

}  // namespace phpc::batch
