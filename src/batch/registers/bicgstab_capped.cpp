#include "batch/registers/launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_registers<double, BiCgStab, capped_registers>(exec::Device, std::string_view, const RegisterShape&,
                                                                   const RegisterJob<double>&);

}  // namespace phpc::batch
