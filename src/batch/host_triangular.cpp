#include "batch/host_launch_impl.hpp"
#include "batch/solver/triangular.hpp"

namespace phpc::batch {

template void launch_lanes<float, LowerTriangularSolve>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, LowerTriangularSolve>(std::string_view, const SolveJob<double>&);
template void launch_lanes<float, UpperTriangularSolve>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, UpperTriangularSolve>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
