#pragma once
#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/pass.hpp"
#include "fft/device/fixed/prime.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

/// The loops of a window, missing ones once around.
struct FixedLoops {
  PassLoop outer{};
  PassLoop middle{};
  PassLoop inner{};
};

/// False when there are more.
template <class Real>
bool find_loops(const Pass<Real>& pass, const PassWindow& window, FixedLoops& loops) {
  PassLoop* const slots[] = {&loops.inner, &loops.middle, &loops.outer};
  const int count = pass.loop_count - window.first;
  for (int index = 0; index < count && index < 3; ++index) {
    const int loop = pass.loop_count - 1 - index;
    *slots[index] = pass.loops[loop];
    slots[index]->count = window.count(pass, loop);
  }
  return count <= 3;
}

template <class Real, class Shape, Along Load, Along Store>
void launch_shape(exec::Device device, const Pass<Real>& pass, const FixedLoops& loops, const Complex<Real>* in,
                  Complex<Real>* out) {
  using Kernel = FixedPassKernel<Real, Shape, Load, Store>;
  Kernel kernel{in,
                out,
                pass.fixed_twiddles,
                loops.inner.count,
                Load == Along::inner ? pass.from_step : loops.inner.from,
                Store == Along::inner ? pass.to_step : loops.inner.to,
                pass.store.scale,
                pass.load.swap,
                pass.store.swap_last,
                {}};
  if constexpr (Kernel::has_columns) {
    kernel.columns = {loops.outer.from, loops.middle.from, loops.outer.to, loops.middle.to, loops.middle.count,
                      pass.between,     pass.fine,         pass.coarse,    pass.fine_shift};
  }
  const index_t teams = Shape::teams_per_unit * static_cast<index_t>(device.properties().compute_units);
  const index_t groups = loops.outer.count * loops.middle.count * ceil_div(loops.inner.count, Shape::width);
  exec::launch_on_gpu(device, {.groups = groups, .teams = teams}, kernel);
}

template <class Real, class Shapes>
bool launch_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                 Complex<Real>* out) {
  FixedLoops loops;
  if (!find_loops(pass, window, loops) || loops.middle.count * loops.outer.count != 1 || pass.from_step != 1 ||
      pass.to_step != 1) {
    return false;
  }
  return with_shape(pass.length, Shapes{}, [&](auto shape) {
    using Shape = decltype(shape);
    if constexpr (is_direct_prime<Shape>) {
      exec::launch_on_gpu(device, {.groups = ceil_div(loops.inner.count, Shape::width)},
                          FixedPrimeKernel<Real, Shape>{in, out, loops.inner.count, loops.inner.from, loops.inner.to,
                                                        pass.store.scale, pass.load.swap, pass.store.swap_last});
    } else {
      launch_shape<Real, Shape, Along::element, Along::element>(device, pass, loops, in, out);
    }
  });
}

template <class Real, class Shapes>
bool launch_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                    Complex<Real>* out) {
  FixedLoops loops;
  const bool fits = find_loops(pass, window, loops) && loops.inner.to == 1 && (loops.inner.from == 1 || pass.from_step == 1);
  const bool turns_elsewhere = loops.outer.turn != 0 || loops.middle.turn != 0;
  if (!fits || turns_elsewhere) {
    return false;
  }
  return with_shape(pass.length, Shapes{}, [&](auto shape) {
    if (loops.inner.from == 1) {
      launch_shape<Real, decltype(shape), Along::inner, Along::inner>(device, pass, loops, in, out);
    } else {
      launch_shape<Real, decltype(shape), Along::element, Along::inner>(device, pass, loops, in, out);
    }
  });
}

// One source a precision and form instantiates these, one more those of wide teams, so that they compile side by side.

template <class Real>
bool launch_fixed_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out) {
  return launch_rows<Real, typename FixedRows<Real>::Small>(device, pass, window, in, out) ||
         launch_rows<Real, typename FixedRows<Real>::Large>(device, pass, window, in, out);
}

template <class Real>
bool launch_fixed_wide_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                            Complex<Real>* out) {
  return launch_rows<Real, typename FixedRows<Real>::Wide>(device, pass, window, in, out);
}

template <class Real>
bool launch_fixed_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                          Complex<Real>* out) {
  return launch_columns<Real, typename FixedColumns<Real>::Narrow>(device, pass, window, in, out);
}

template <class Real>
bool launch_fixed_wide_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                               Complex<Real>* out) {
  return launch_columns<Real, typename FixedColumns<Real>::Wide>(device, pass, window, in, out);
}

}  // namespace phpc::fft
