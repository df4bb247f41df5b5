#include "fft/device/fixed/convolutions/launch_rader.hpp"

namespace phpc::fft {

template FixedLaunch<double> rader_launch<double>(index_t);

}  // namespace phpc::fft
