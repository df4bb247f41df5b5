#include "fft/device/fixed/rows/launch_rows.hpp"

namespace phpc::fft {

template FixedLaunch<float> register_capped_rows_launch<float>(index_t);
template FixedLaunch<double> register_capped_rows_launch<double>(index_t);

}  // namespace phpc::fft
