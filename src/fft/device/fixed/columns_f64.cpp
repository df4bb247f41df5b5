#include "fft/device/fixed/launch_columns.hpp"

namespace phpc::fft {

template bool launch_fixed_columns(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*,
                                   Complex<double>*);

}  // namespace phpc::fft
