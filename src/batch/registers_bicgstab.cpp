#include "batch/register_launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_registers<double, BiCgStab, 0>(exec::Device, std::string_view, const RegisterShape&,
                                                    const RegisterJob<double>&);

}  // namespace phpc::batch
