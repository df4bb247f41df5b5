#include "batch/direct/block_launch_impl.hpp"

namespace phpc::batch {

template void launch_blocks<float, 0>(exec::Device, const RegisterShape&, const RegisterJob<float>&);
template void launch_blocks<double, 0>(exec::Device, const RegisterShape&, const RegisterJob<double>&);

}  // namespace phpc::batch
