#include "batch/solver/sparse_lu.hpp"
#include "batch/teams/plain_launch_impl.hpp"

namespace phpc::batch {

template void launch_teams<float, SparseLu>(exec::Device, std::string_view, int, const SolveJob<float>&);
template void launch_teams<double, SparseLu>(exec::Device, std::string_view, int, const SolveJob<double>&);

}  // namespace phpc::batch
