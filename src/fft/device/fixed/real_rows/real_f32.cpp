#include "fft/device/fixed/real_rows/launch_real.hpp"

namespace phpc::fft {

template FixedLaunch<float> from_real_rows_launch<float>(index_t);
template FixedLaunch<float> to_real_rows_launch<float>(index_t);

}  // namespace phpc::fft
