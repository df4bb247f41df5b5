#include "fft/host/transforms/transform_impl.hpp"

namespace phpc::fft {

template class HostTransform<double>;

}  // namespace phpc::fft
