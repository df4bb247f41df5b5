#include "fft/device/fixed/four_step/launch_relay.hpp"

namespace phpc::fft {

template bool launch_fixed_wide_relay<float, PassForm::relay>(exec::Device, const Pass<float>&, const PassWindow&,
                                                              const Complex<float>*, Complex<float>*);
template bool launch_fixed_wide_relay<double, PassForm::relay>(exec::Device, const Pass<double>&, const PassWindow&,
                                                               const Complex<double>*, Complex<double>*);

}  // namespace phpc::fft
