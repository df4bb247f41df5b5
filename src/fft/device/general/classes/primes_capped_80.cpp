#include "fft/device/general/launch_primes_impl.hpp"

namespace phpc::fft {

static_assert(prime_class<float>.registers == 80);

template void launch_primes(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);

}  // namespace phpc::fft
