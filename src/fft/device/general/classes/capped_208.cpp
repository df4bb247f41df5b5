#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(general_class<double>(31).registers == 208 && general_class<double>(31).tile_registers == 208);

template void launch_general_class<double, 31>(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);
template void launch_general_class<double, 31>(exec::Device, const GeneralRows<double>&, const RealRowsInMemory<double>&);
template void launch_general_class<double, 31>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_general_class<double, 31>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);

}  // namespace phpc::fft
