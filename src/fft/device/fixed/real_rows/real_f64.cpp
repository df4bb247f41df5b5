#include "fft/device/fixed/real_rows/launch_real.hpp"

namespace phpc::fft {

template FixedLaunch<double> from_real_rows_launch<double>(index_t);
template FixedLaunch<double> to_real_rows_launch<double>(index_t);

}  // namespace phpc::fft
