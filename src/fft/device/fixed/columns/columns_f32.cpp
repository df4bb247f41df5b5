#include "fft/device/fixed/columns/launch_columns.hpp"

namespace phpc::fft {

template bool launch_fixed_columns(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*, Complex<float>*);

}  // namespace phpc::fft
