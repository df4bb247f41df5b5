#pragma once
#include "fft/device/general/launch.hpp"

namespace phpc::fft {

/// Launches the kernel of a pass whose last stage is a transform of prime length by its definition (PrimeTiles): one whose plan
/// has most_defined_prime as its largest radix.
template <class Real>
void launch_primes(exec::Device device, const GeneralRows<Real>& plan, const PassInMemory<Real>& pass);

}  // namespace phpc::fft
