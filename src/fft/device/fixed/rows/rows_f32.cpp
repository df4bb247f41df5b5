#include "fft/device/fixed/rows/launch_rows.hpp"

namespace phpc::fft {

template FixedLaunch<float> rows_launch<float>(index_t);

}  // namespace phpc::fft
