#include "fft/host/transforms/transform_impl.hpp"

namespace phpc::fft {

template class HostTransform<float>;

}  // namespace phpc::fft
