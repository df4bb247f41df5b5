#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(31).largest == 31 && general_class<float>(31).registers == 96);
static_assert(general_class<double>(16).largest == 16 && general_class<double>(16).registers == 96);
static_assert(general_class<float>(32).largest == 32 && general_class<float>(32).tile_registers == 96);
static_assert(convolution_class<float>(32).largest == 32 && convolution_class<float>(32).registers == 96);

template void launch_general_class<double, 16>(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);
template void launch_general_class<double, 16>(exec::Device, const GeneralRows<double>&, const RealRowsInMemory<double>&);
template void launch_general_class<float, 32>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 32>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_convolution_class<float, 32>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_convolution_class<float, 32>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_convolution_class<float, 32>(exec::Device, const GeneralRows<float>&, const RealPassInMemory<float>&);
template void launch_general_class<float, 31>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 31>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);

}  // namespace phpc::fft
