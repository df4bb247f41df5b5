#include "batch/host_launch_impl.hpp"
#include "batch/solver/dense_lu.hpp"

namespace phpc::batch {

template void launch_lanes<float, DenseLu>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, DenseLu>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
