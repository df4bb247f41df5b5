#include "batch/host_launch_impl.hpp"
#include "batch/solver/cg.hpp"

namespace phpc::batch {

template void launch_lanes<float, ConjugateGradients>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, ConjugateGradients>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
