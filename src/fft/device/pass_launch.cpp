#include "fft/device/pass_launch.hpp"

#include <cstdint>
#include <limits>

#include "fft/device/fixed/launch.hpp"
#include "fft/device/pass_kernel.hpp"
#include "fft/device/untangling.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

namespace {

constexpr int threads = 256;
constexpr index_t all = std::numeric_limits<index_t>::max();

/// Interleaved complex numbers in places that whole ones can be read from.
template <class Real>
bool are_whole(const Parts<Real>& parts) {
  return parts.pitch == 2 && parts.second == parts.first + 1 &&
         reinterpret_cast<std::uintptr_t>(parts.first) % sizeof(Complex<std::remove_const_t<Real>>) == 0;
}

/// These know themselves what to do where pairs of real numbers are no whole ones.
bool takes_any_pairs(PassForm form) {
  return form == PassForm::relay_from_real || form == PassForm::relay_to_real;
}

/// Whether the quick functors of pass_ends.hpp, and kernels of a fixed length, can do what the hooks ask for.
template <class Real>
bool has_plain_hooks(const Pass<Real>& pass) {
  const LoadHook<Real>& load = pass.load;
  const StoreHook<Real>& store = pass.store;
  return load.factors == nullptr && load.count == all && load.half == HalfSpectrum::none && store.factors == nullptr &&
         store.count == all && !store.swap_first;
}

/// These know their own factors and ends.
bool has_own_hooks(PassForm form) {
  return form == PassForm::convolution || form == PassForm::relay_convolution || form == PassForm::real_rows;
}

template <PassForm Form, class Real>
bool launch_either_relay(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                         Complex<Real>* out) {
  return launch_fixed_relay<Real, Form>(device, pass, window, in, out) ||
         launch_fixed_wide_relay<Real, Form>(device, pass, window, in, out);
}

template <class Real>
bool launch_fixed(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                  Complex<Real>* out) {
  if (pass.form == PassForm::convolution) {
    launch_fixed_convolution(device, pass, window, in, out);
    return true;
  }
  if (pass.form == PassForm::rader) {
    launch_fixed_rader(device, pass, window, in, out);
    return true;
  }
  if (pass.form == PassForm::relay) {
    return launch_either_relay<PassForm::relay>(device, pass, window, in, out);
  }
  if (pass.form == PassForm::relay_from_real) {
    return launch_either_relay<PassForm::relay_from_real>(device, pass, window, in, out);
  }
  if (pass.form == PassForm::relay_to_real) {
    return launch_either_relay<PassForm::relay_to_real>(device, pass, window, in, out);
  }
  if (pass.form == PassForm::relay_convolution) {
    launch_fixed_relay_convolution(device, pass, window, in, out);
    return true;
  }
  if (pass.fixed_twiddles == nullptr) {
    return false;
  }
  if (pass.form == PassForm::real_rows) {
    return launch_fixed_real(device, pass, window, in, out);
  }
  if (pass.form == PassForm::rows) {
    return launch_fixed_rows(device, pass, window, in, out) || launch_fixed_wide_rows(device, pass, window, in, out);
  }
  return launch_fixed_columns(device, pass, window, in, out) || launch_fixed_wide_columns(device, pass, window, in, out);
}

}  // namespace

template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                 const Parts<const Real>& in, const Parts<Real>& out) {
  exec::LaunchShape shape{.groups = pass_groups(pass, window)};
  shape.scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(static_cast<index_t>(pass.width) * pass.length));
  const bool is_plain = has_plain_hooks(pass);
  const bool is_whole = takes_any_pairs(pass.form) || (are_whole(in) && are_whole(out));
  if (is_whole && (is_plain || has_own_hooks(pass.form))) {
    const auto* const from = reinterpret_cast<const Complex<Real>*>(in.first);
    auto* const to = reinterpret_cast<Complex<Real>*>(out.first);
    if (launch_fixed(device, pass, window, from, to)) {
      return;
    }
    if (is_plain) {
      exec::launch(device, shape, PassKernel<Real, threads, PlainLoad<Real>, PlainStore<Real>>{on_device, window, {from}, {to}});
      return;
    }
  }
  exec::launch(device, shape,
               PassKernel<Real, threads, PartsLoad<Real>, PartsStore<Real>>{
                   on_device, window, {in.first, in.second, in.pitch}, {out.first, out.second, out.pitch}});
}

template <class Real>
void launch_untangling(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                       const Parts<Real>& lines) {
  exec::launch(device, {.groups = pass_groups(pass, window)},
               UntanglingKernel<Real, threads>{on_device, window, lines.first, lines.second, lines.pitch});
}

template void launch_pass(exec::Device, const Pass<float>&, const Pass<float>*, const PassWindow&, const Parts<const float>&,
                          const Parts<float>&);
template void launch_pass(exec::Device, const Pass<double>&, const Pass<double>*, const PassWindow&, const Parts<const double>&,
                          const Parts<double>&);
template void launch_untangling(exec::Device, const Pass<float>&, const Pass<float>*, const PassWindow&, const Parts<float>&);
template void launch_untangling(exec::Device, const Pass<double>&, const Pass<double>*, const PassWindow&, const Parts<double>&);

}  // namespace phpc::fft
