#include "fft/device/fixed/columns/launch_columns.hpp"

namespace phpc::fft {

template FixedLaunch<float> register_capped_columns_launch<float>(index_t, bool);
template FixedLaunch<double> register_capped_columns_launch<double>(index_t, bool);

}  // namespace phpc::fft
