#include "fft/device/fixed/convolutions/launch_rader.hpp"

namespace phpc::fft {

template FixedLaunch<float> rader_launch<float>(index_t);

}  // namespace phpc::fft
