#include "fft/device/fixed/columns/launch_columns.hpp"

namespace phpc::fft {

template FixedLaunch<float> columns_launch<float>(index_t, bool);

}  // namespace phpc::fft
