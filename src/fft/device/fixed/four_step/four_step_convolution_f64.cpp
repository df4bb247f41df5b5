#include "fft/device/fixed/four_step/launch_four_step_convolution.hpp"

namespace phpc::fft {

template FixedLaunch<double> four_step_convolution_launch<double>(index_t);

}  // namespace phpc::fft
