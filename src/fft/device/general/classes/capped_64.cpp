#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(24).largest == 24 && general_class<float>(24).registers == 64);
static_assert(general_class<double>(10).largest == 10 && general_class<double>(10).registers == 64);
static_assert(general_class<double>(8).largest == 8 && general_class<double>(8).tile_registers == 64);
static_assert(convolution_class<float>(16).largest == 16 && convolution_class<float>(16).registers == 64);

template void launch_general_class<float, 24>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 24>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);
template void launch_general_class<double, 10>(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);
template void launch_general_class<double, 10>(exec::Device, const GeneralRows<double>&, const RealRowsInMemory<double>&);
template void launch_general_class<double, 8>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_general_class<double, 8>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution_class<float, 16>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_convolution_class<float, 16>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_convolution_class<float, 16>(exec::Device, const GeneralRows<float>&, const RealPassInMemory<float>&);

}  // namespace phpc::fft
