#include "fft/device/fixed/four_step/launch_relay_convolution.hpp"

namespace phpc::fft {

template void launch_fixed_relay_convolution(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*,
                                             Complex<float>*);

}  // namespace phpc::fft
