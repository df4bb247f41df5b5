#pragma once
#include <algorithm>

#include "fft/device/fixed/four_step/relay.hpp"
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/shapes/relay_shapes.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, PassForm Form, class Shapes>
bool launch_relay(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                  Complex<Real>* out) {
  const index_t batch = window.count(pass, window.first);
  const PassLoop& loop = pass.loops[window.first];
  const RelayTables<Real>& relay = pass.relay;
  return with_shape(pass.length, Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    using Kernel = FixedRelayKernel<Real, typename Shape::First, typename Shape::Second, Form>;
    const int count = static_cast<int>(batch);
    const typename Kernel::Order order{relay.words, count, std::min(relay.lag, count), relay.slots};
    exec::launch_on_gpu(device, {.groups = batch * Kernel::Order::tiles_of_all},
                        Kernel{in, out, relay.ring, pass.fixed_twiddles, relay.second_twiddles, pass.between, relay.between_steps,
                               loop.from, loop.to, order, pass.store.scale, pass.load.swap, relay.roots});
  });
}

// One source a precision and form instantiates the first of these, one a form the second.

template <class Real, PassForm Form>
bool launch_fixed_relay(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                        Complex<Real>* out) {
  return launch_relay<Real, Form, typename RelaysOf<Real, Form>::Narrow>(device, pass, window, in, out);
}

template <class Real, PassForm Form>
bool launch_fixed_wide_relay(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                             Complex<Real>* out) {
  return launch_relay<Real, Form, typename RelaysOf<Real, Form>::Wide>(device, pass, window, in, out);
}

}  // namespace phpc::fft
