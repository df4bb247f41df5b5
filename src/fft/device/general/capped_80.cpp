#include "fft/device/general/classes.hpp"
#include "fft/device/general/launch_impl.hpp"

namespace phpc::fft {

static_assert(general_class<float>(32).largest == 32 && general_class<float>(32).registers == 80);

template void launch_general_class<float, 32>(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);

}  // namespace phpc::fft
