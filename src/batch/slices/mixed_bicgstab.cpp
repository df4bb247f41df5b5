#include "batch/slices/launch_impl.hpp"
#include "batch/solver/bicgstab.hpp"

namespace phpc::batch {

template void launch_mixed_slices<BiCgStab>(exec::Device, std::string_view, const SliceShape&, std::size_t,
                                            const SliceJob<double>&);

}  // namespace phpc::batch
