#include "fft/device/fixed/convolutions/launch_convolution.hpp"

namespace phpc::fft {

template void launch_fixed_convolution(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*,
                                       Complex<double>*);

}  // namespace phpc::fft
