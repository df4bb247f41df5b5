#include "batch/host/launch_impl.hpp"
#include "batch/solver/dense_lu.hpp"

namespace phpc::batch {

template void launch_lanes<float, DenseLu>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, DenseLu>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, DenseLu>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, DenseLu>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
