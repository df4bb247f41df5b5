#include "batch/solver/cg.hpp"
#include "batch/teams/general_launch_impl.hpp"

namespace phpc::batch {

template void launch_general_teams<float, ConjugateGradients>(exec::Device, const SolveJob<float>&);
template void launch_general_teams<double, ConjugateGradients>(exec::Device, const SolveJob<double>&);
template void launch_general_teams<Complex<float>, ConjugateGradients>(exec::Device, const SolveJob<Complex<float>>&);
template void launch_general_teams<Complex<double>, ConjugateGradients>(exec::Device, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
