#include "batch/solver/bicgstab.hpp"

#include "batch/registers/launch_impl.hpp"

namespace phpc::batch {

template void launch_registers<double, BiCgStab, 0>(exec::Device, std::string_view, const RegisterShape&,
                                                    const RegisterJob<double>&);

}  // namespace phpc::batch
