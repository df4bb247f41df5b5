#include "fft/device/fixed/convolutions/launch_convolution.hpp"

namespace phpc::fft {

template void launch_fixed_convolution(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*,
                                       Complex<float>*);

}  // namespace phpc::fft
