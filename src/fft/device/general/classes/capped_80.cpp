#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(32).largest == 32 && general_class<float>(32).registers == 80);
static_assert(general_class<float>(24).largest == 24 && general_class<float>(24).tile_registers == 80);
static_assert(general_class<double>(10).largest == 10 && general_class<double>(10).tile_registers == 80);
static_assert(convolution_class<double>(10).largest == 10 && convolution_class<double>(10).registers == 80);

template void launch_general_class<float, 32>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 32>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);
template void launch_general_class<float, 24>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 24>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_general_class<double, 10>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_general_class<double, 10>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution_class<double, 10>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution_class<double, 10>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_convolution_class<double, 10>(exec::Device, const GeneralRows<double>&, const RealPassInMemory<double>&);

}  // namespace phpc::fft
