#include "batch/mixed/lanes_launch_impl.hpp"
#include "batch/solver/gmres.hpp"

namespace phpc::batch {

template void launch_mixed_lanes<Gmres>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
