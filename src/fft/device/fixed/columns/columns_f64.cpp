#include "fft/device/fixed/columns/launch_columns.hpp"

namespace phpc::fft {

template FixedLaunch<double> columns_launch<double>(index_t, bool);

}  // namespace phpc::fft
