#include "fft/device/fixed/columns/launch_columns.hpp"

namespace phpc::fft {

template bool launch_fixed_register_capped_columns(exec::Device, const Pass<float>&, const PassWindow&, const Complex<float>*,
                                                   Complex<float>*);
template bool launch_fixed_register_capped_columns(exec::Device, const Pass<double>&, const PassWindow&, const Complex<double>*,
                                                   Complex<double>*);

}  // namespace phpc::fft
