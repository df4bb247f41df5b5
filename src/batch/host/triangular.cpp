#include "batch/solver/triangular.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, LowerTriangularSolve>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, LowerTriangularSolve>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, LowerTriangularSolve>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, LowerTriangularSolve>(std::string_view, const SolveJob<Complex<double>>&);
template void launch_lanes<float, UpperTriangularSolve>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, UpperTriangularSolve>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, UpperTriangularSolve>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, UpperTriangularSolve>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
