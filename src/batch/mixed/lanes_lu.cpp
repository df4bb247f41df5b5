#include "batch/mixed/lanes_launch_impl.hpp"
#include "batch/solver/dense_lu.hpp"

namespace phpc::batch {

template void launch_mixed_lanes<DenseLu>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
