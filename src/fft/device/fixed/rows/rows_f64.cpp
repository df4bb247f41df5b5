#include "fft/device/fixed/rows/launch_rows.hpp"

namespace phpc::fft {

template FixedLaunch<double> rows_launch<double>(index_t);

}  // namespace phpc::fft
