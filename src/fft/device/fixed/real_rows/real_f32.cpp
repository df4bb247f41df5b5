#include "fft/device/fixed/real_rows/launch_real.hpp"

namespace phpc::fft {

template bool launch_fixed_real(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*, Complex<float>*);

}  // namespace phpc::fft
