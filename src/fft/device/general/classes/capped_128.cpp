#include "fft/device/general/launch_impl.hpp"
#include "fft/device/general/stages/classes.hpp"

namespace phpc::fft {

static_assert(convolution_class<float>(32).largest == 32 && convolution_class<float>(32).registers == 128);
static_assert(convolution_class<double>(16).largest == 16 && convolution_class<double>(16).registers == 128);

template void launch_convolution_class<float, 32>(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_convolution_class<float, 32>(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_convolution_class<float, 32>(exec::Device, const GeneralRows<float>&, const RealPassInMemory<float>&);
template void launch_convolution_class<double, 16>(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution_class<double, 16>(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_convolution_class<double, 16>(exec::Device, const GeneralRows<double>&, const RealPassInMemory<double>&);

}  // namespace phpc::fft
