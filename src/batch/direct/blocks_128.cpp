#include "batch/direct/block_launch_impl.hpp"

namespace phpc::batch {

template void launch_blocks<float, 128>(exec::Device, const RegisterShape&, const RegisterJob<float>&);
template void launch_blocks<double, 128>(exec::Device, const RegisterShape&, const RegisterJob<double>&);

}  // namespace phpc::batch
