#include "fft/device/fixed/four_step/launch_four_step.hpp"

namespace phpc::fft {

template FixedLaunch<float> four_step_launch<float, PassForm::fused_four_step>(index_t);

}  // namespace phpc::fft
