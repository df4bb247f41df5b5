#include "fft/device/fixed/convolutions/launch_convolution.hpp"

namespace phpc::fft {

template FixedLaunch<float> convolution_launch<float>(index_t);

}  // namespace phpc::fft
