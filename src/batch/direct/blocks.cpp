#include "batch/direct/block_launch_impl.hpp"

namespace phpc::batch {

template void launch_blocks<float, RowStorage::blocks>(exec::Device, const RegisterShape&, const RegisterJob<float>&);
template void launch_blocks<double, RowStorage::blocks>(exec::Device, const RegisterShape&, const RegisterJob<double>&);

}  // namespace phpc::batch
