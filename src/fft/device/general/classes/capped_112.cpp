#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(31).largest == 31 && general_class<float>(31).tile_registers == 112);
static_assert(general_class<double>(16).largest == 16 && general_class<double>(16).tile_registers == 112);
static_assert(convolution_class<double>(16).largest == 16 && convolution_class<double>(16).registers == 112);

template void launch_general_class<double, 16>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_general_class<double, 16>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution_class<double, 16>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution_class<double, 16>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_convolution_class<double, 16>(exec::Device, const GeneralRows<double>&, const RealPassInMemory<double>&);
template void launch_general_class<float, 31>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 31>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);

}  // namespace phpc::fft
