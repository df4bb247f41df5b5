#include "fft/device/fixed/four_step/launch_four_step.hpp"

namespace phpc::fft {

template FixedLaunch<double> four_step_launch<double, PassForm::fused_four_step_to_real>(index_t);

}  // namespace phpc::fft
