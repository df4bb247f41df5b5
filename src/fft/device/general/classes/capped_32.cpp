#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(8).largest == 8 && general_class<float>(8).registers == 32);

template void launch_general_class<float, 8>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 8>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);

}  // namespace phpc::fft
