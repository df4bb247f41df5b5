#include "batch/solver/cg.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, ConjugateGradients>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, ConjugateGradients>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, ConjugateGradients>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, ConjugateGradients>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
