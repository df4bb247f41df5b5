#include "batch/general_launch_impl.hpp"
#include "batch/solver/tridiagonal.hpp"

namespace phpc::batch {

template void launch_general_teams<float, Tridiagonal>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, Tridiagonal>(exec::Device, const SolveJob<double>&);

}  // namespace phpc::batch
