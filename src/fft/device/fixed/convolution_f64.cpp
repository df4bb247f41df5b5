#include "fft/device/fixed/launch_convolution.hpp"

namespace phpc::fft {

template void launch_fixed_convolution(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*,
                                       Complex<double>*);

}  // namespace phpc::fft
