#include "batch/host_launch_impl.hpp"
#include "batch/solver/idr.hpp"

namespace phpc::batch {

template void launch_lanes<float, Idr>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Idr>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
