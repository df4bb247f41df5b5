#include "fft/device/fixed/four_step/launch_relay_convolution.hpp"

namespace phpc::fft {

template void launch_fixed_relay_convolution(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*,
                                             Complex<double>*);

}  // namespace phpc::fft
