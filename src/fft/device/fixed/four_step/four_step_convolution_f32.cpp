#include "fft/device/fixed/four_step/launch_four_step_convolution.hpp"

namespace phpc::fft {

template FixedLaunch<float> four_step_convolution_launch<float>(index_t);

}  // namespace phpc::fft
