#include "fft/device/fixed/convolutions/launch_rader.hpp"

namespace phpc::fft {

template void launch_fixed_rader(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*, Complex<float>*);

}  // namespace phpc::fft
