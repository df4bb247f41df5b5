#include "fft/device/general/launch_primes_impl.hpp"

namespace phpc::fft {

static_assert(prime_class<double>.registers == 96);

template void launch_primes(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);

}  // namespace phpc::fft
