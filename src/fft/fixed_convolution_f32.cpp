#include "fft/fixed_launch_impl.hpp"

namespace phpc::fft {

template void launch_fixed_convolution(exec::Device, const Pass<float>&, index_t, const Complex<float>*, Complex<float>*);

}  // namespace phpc::fft
