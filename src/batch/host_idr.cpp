#include "batch/host_launch_impl.hpp"
#include "batch/solver/idr.hpp"

namespace phpc::batch {

template void launch_lanes<float, Idr>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Idr>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, Idr>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, Idr>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
