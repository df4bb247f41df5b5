#include "batch/solver/bicgstab.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, BiCgStab>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, BiCgStab>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, BiCgStab>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, BiCgStab>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
