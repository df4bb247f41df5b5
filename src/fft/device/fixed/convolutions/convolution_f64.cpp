#include "fft/device/fixed/convolutions/launch_convolution.hpp"

namespace phpc::fft {

template FixedLaunch<double> convolution_launch<double>(index_t);

}  // namespace phpc::fft
