#include "batch/host_launch_impl.hpp"
#include "batch/solver/sparse_lu.hpp"

namespace phpc::batch {

template void launch_lanes<float, SparseLu>(std::string_view, const SolveJob<float>&);
template void launch_lanes<double, SparseLu>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
