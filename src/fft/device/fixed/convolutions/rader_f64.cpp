#include "fft/device/fixed/convolutions/launch_rader.hpp"

namespace phpc::fft {

template void launch_fixed_rader(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*, Complex<double>*);

}  // namespace phpc::fft
