#include "batch/mixed/lanes_launch_impl.hpp"
#include "batch/solver/cg.hpp"

namespace phpc::batch {

template void launch_mixed_lanes<ConjugateGradients>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
