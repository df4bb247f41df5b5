#include "batch/solver/tridiagonal.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, Tridiagonal>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Tridiagonal>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, Tridiagonal>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, Tridiagonal>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
