#include "fft/device/fixed/four_step/launch_four_step.hpp"

namespace phpc::fft {

template bool launch_fixed_four_step<double, PassForm::fused_four_step_to_real>(exec::Device, const Pass<double>&,
                                                                                const PassWindow&, const Complex<double>*,
                                                                                Complex<double>*);

}  // namespace phpc::fft
