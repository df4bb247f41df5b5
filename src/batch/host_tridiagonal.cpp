#include "batch/host_launch_impl.hpp"
#include "batch/solver/tridiagonal.hpp"

namespace phpc::batch {

template void launch_lanes<float, Tridiagonal>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Tridiagonal>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
