#include "fft/device/general/classes.hpp"
#include "fft/device/general/launch_impl.hpp"

namespace phpc::fft {

static_assert(general_class<float>(15).largest == 15 && general_class<float>(15).registers == 48);

template void launch_general_class<float, 15>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);

}  // namespace phpc::fft
