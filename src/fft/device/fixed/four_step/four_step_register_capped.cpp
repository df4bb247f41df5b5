#include "fft/device/fixed/four_step/launch_four_step.hpp"

namespace phpc::fft {

template FixedLaunch<float> register_capped_four_step_launch<float, PassForm::fused_four_step>(index_t);
template FixedLaunch<double> register_capped_four_step_launch<double, PassForm::fused_four_step>(index_t);

}  // namespace phpc::fft
