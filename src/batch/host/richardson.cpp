#include "batch/solver/richardson.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, Richardson>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Richardson>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, Richardson>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, Richardson>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
