#include "batch/solver/dense_lu.hpp"
#include "batch/teams/plain_launch_impl.hpp"

namespace phpc::batch {

template void launch_teams<float, DenseLu>(exec::Device, std::string_view, int, const SolveJob<float>&);
template void launch_teams<double, DenseLu>(exec::Device, std::string_view, int, const SolveJob<double>&);

}  // namespace phpc::batch
