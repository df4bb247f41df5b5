#include "batch/solver/sparse_lu.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, SparseLu>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, SparseLu>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, SparseLu>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, SparseLu>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
