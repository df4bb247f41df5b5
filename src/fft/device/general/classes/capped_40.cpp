#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<float>(10).largest == 10 && general_class<float>(10).registers == 40);
static_assert(general_class<double>(5).largest == 5 && general_class<double>(5).registers == 40);
static_assert(general_class<float>(8).largest == 8 && general_class<float>(8).tile_registers == 40);

template void launch_general_class<float, 10>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_class<float, 10>(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);
template void launch_general_class<double, 5>(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);
template void launch_general_class<double, 5>(exec::Device, const GeneralRows<double>&, const RealRowsInMemory<double>&);
template void launch_general_class<float, 8>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general_class<float, 8>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);

}  // namespace phpc::fft
