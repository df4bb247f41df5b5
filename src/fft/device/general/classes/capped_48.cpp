#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(15).largest == 15 && general_class<float>(15).registers == 48);
static_assert(general_class<float>(10).largest == 10 && general_class<float>(10).tile_registers == 48);
static_assert(general_class<double>(5).largest == 5 && general_class<double>(5).tile_registers == 48);

template void launch_general_class<float, 15>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 15>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);
template void launch_general_class<float, 10>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 10>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_general_class<double, 5>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_general_class<double, 5>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);

}  // namespace phpc::fft
