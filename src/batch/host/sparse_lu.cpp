#include "batch/solver/sparse_lu.hpp"

#include "batch/host/launch_impl.hpp"

namespace phpc::batch {

template void launch_lanes<float, SparseLu>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, SparseLu>(std::string_view, const SolveJob<double>&);
template void launch_lanes<Complex<float>, SparseLu>(std::string_view, const SolveJob<Complex<float>>&);
template void launch_lanes<Complex<double>, SparseLu>(std::string_view, const SolveJob<Complex<double>>&);

}  // namespace phpc::batch
