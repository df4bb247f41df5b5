#include "batch/registers/chunk_launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_krylov_chunks<float, BiCgStab, 168>(exec::Device, std::string_view, const RegisterShape&,
                                                         const RegisterJob<float>&);
template void launch_krylov_chunks<double, BiCgStab, 168>(exec::Device, std::string_view, const RegisterShape&,
                                                          const RegisterJob<double>&);

}  // namespace phpc::batch
