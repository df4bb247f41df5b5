#include "fft/device/fixed/rows/launch_rows.hpp"

namespace phpc::fft {

template bool launch_fixed_rows(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*, Complex<float>*);

}  // namespace phpc::fft
