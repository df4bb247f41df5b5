#include "fft/fixed_launch_impl.hpp"

namespace phpc::fft {

template void launch_fixed_convolution(exec::Device, const Pass<double>&, index_t, const Complex<double>*, Complex<double>*);

}  // namespace phpc::fft
