#include "fft/device/fixed/four_step/launch_four_step_convolution.hpp"

namespace phpc::fft {

template void launch_fixed_four_step_convolution(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*,
                                                 Complex<float>*);

}  // namespace phpc::fft
