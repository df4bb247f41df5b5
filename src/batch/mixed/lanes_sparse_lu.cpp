#include "batch/mixed/lanes_launch_impl.hpp"
#include "batch/solver/sparse_lu.hpp"

namespace phpc::batch {

template void launch_mixed_lanes<SparseLu>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
