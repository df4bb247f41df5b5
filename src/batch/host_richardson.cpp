#include "batch/host_launch_impl.hpp"
#include "batch/solver/richardson.hpp"

namespace phpc::batch {

template void launch_lanes<float, Richardson>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Richardson>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, Richardson>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, Richardson>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
