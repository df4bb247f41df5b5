#include "fft/device/fixed/four_step/launch_four_step.hpp"

namespace phpc::fft {

template bool launch_fixed_register_capped_four_step<float, PassForm::fused_four_step>(exec::Device, const Pass<float>&,
                                                                                       const PassWindow&, const Complex<float>*,
                                                                                       Complex<float>*);
template bool launch_fixed_register_capped_four_step<double, PassForm::fused_four_step>(exec::Device, const Pass<double>&,
                                                                                        const PassWindow&, const Complex<double>*,
                                                                                        Complex<double>*);

}  // namespace phpc::fft
