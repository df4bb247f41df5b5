#include "batch/mixed/chunks_launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_mixed_chunks<BiCgStab, 255>(exec::Device, std::string_view, const RegisterShape&,
                                                 const RegisterJob<double>&);

}  // namespace phpc::batch
