#include "fft/device/fixed/real_rows/launch_real.hpp"

namespace phpc::fft {

template bool launch_fixed_real(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*, Complex<double>*);

}  // namespace phpc::fft
