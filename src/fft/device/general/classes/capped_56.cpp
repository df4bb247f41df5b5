#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(16).largest == 16 && general_class<float>(16).registers == 56);
static_assert(general_class<double>(8).largest == 8 && general_class<double>(8).registers == 56);
static_assert(general_class<float>(15).largest == 15 && general_class<float>(15).tile_registers == 56);
static_assert(general_class<float>(16).largest == 16 && general_class<float>(16).tile_registers == 56);

template void launch_general_class<float, 16>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 16>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);
template void launch_general_class<double, 8>(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);
template void launch_general_class<double, 8>(exec::Device, const GeneralRows<double>&, const RealRowsInMemory<double>&);
template void launch_general_class<float, 15>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 15>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_general_class<float, 16>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 16>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);

}  // namespace phpc::fft
