#include "batch/solver/idr.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, Idr>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Idr>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, Idr>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, Idr>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
