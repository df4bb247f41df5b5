#include "batch/solver/bicgstab.hpp"

#include "batch/slices/launch_impl.hpp"

namespace phpc::batch {

template void launch_slices<double, BiCgStab, capped_slice_registers>(exec::Device, std::string_view, const SliceShape&,
                                                                      std::size_t, const SliceJob<double>&);

}  // namespace phpc::batch
