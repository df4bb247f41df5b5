#pragma once
#include <algorithm>

#include "fft/device/fixed/four_step/relay_convolution.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/relay_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

/// One source a precision instantiates this.
template <class Real>
void launch_fixed_relay_convolution(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                    const Complex<Real>* in, Complex<Real>* out) {
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const RelayTables<Real>& relay = pass.relay;
  with_shape(pass.length, typename FixedRelayConvolutions<Real>::Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    using Kernel = FixedRelayConvolutionKernel<Real, typename Shape::First, typename Shape::Second>;
    const int count = static_cast<int>(batch);
    const typename Kernel::Order order{relay.words, count, std::min(relay.lag, count / 2), relay.slots};
    exec::launch_on_gpu(device, {.groups = batch * Kernel::Order::tiles_of_all},
                        Kernel{in, out, relay.ring, pass.fixed_twiddles, relay.second_twiddles, pass.between, relay.between_steps,
                               pass.load.factors, relay.filter, loop.from, loop.to, order, static_cast<int>(pass.load.count),
                               pass.store.scale, pass.load.swap});
  });
}

}  // namespace phpc::fft
