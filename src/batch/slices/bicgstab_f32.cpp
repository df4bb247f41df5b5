#include "batch/slices/launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_slices<float, BiCgStab, capped_slice_registers>(exec::Device, std::string_view, const SliceShape&,
                                                                     std::size_t, const SliceJob<float>&);

}  // namespace phpc::batch
