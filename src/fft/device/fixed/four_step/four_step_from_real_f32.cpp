#include "fft/device/fixed/four_step/launch_four_step.hpp"

namespace phpc::fft {

template bool launch_fixed_four_step<float, PassForm::fused_four_step_from_real>(exec::Device, const Pass<float>&,
                                                                                 const PassWindow&, const Complex<float>*,
                                                                                 Complex<float>*);

}  // namespace phpc::fft
