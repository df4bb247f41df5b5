#include "batch/solver/gmres.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, Gmres>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, Gmres>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, Gmres>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, Gmres>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
