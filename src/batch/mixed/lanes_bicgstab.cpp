#include "batch/mixed/lanes_launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_mixed_lanes<BiCgStab>(std::string_view, const SolveJob<double>&);

}  // namespace phpc::batch
