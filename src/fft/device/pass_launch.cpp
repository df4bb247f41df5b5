#include "fft/device/pass_launch.hpp"

#include <string>

#include "fft/device/fixed/launch.hpp"
#include "fft/device/fixed/loops.hpp"
#include "fft/device/pass_kernel.hpp"
#include "fft/device/r2c_postprocess.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

namespace {

/// Runs a pass of a fused four-step form by the kernel of its length, register-capped or not.
template <PassForm Form, class Real>
bool launch_either_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                             Complex<Real>* out) {
  return launch_fixed_four_step<Real, Form>(device, pass, window, in, out) ||
         launch_fixed_register_capped_four_step<Real, Form>(device, pass, window, in, out);
}

/// Runs a pass by the kernel of its form and length; false when there is none for how it lies in memory.
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
  if (pass.form == PassForm::fused_four_step) {
    return launch_either_four_step<PassForm::fused_four_step>(device, pass, window, in, out);
  }
  if (pass.form == PassForm::fused_four_step_from_real) {
    return launch_either_four_step<PassForm::fused_four_step_from_real>(device, pass, window, in, out);
  }
  if (pass.form == PassForm::fused_four_step_to_real) {
    return launch_either_four_step<PassForm::fused_four_step_to_real>(device, pass, window, in, out);
  }
  if (pass.form == PassForm::fused_four_step_convolution) {
    launch_fixed_four_step_convolution(device, pass, window, in, out);
    return true;
  }
  if (pass.form == PassForm::rows_from_real || pass.form == PassForm::rows_to_real) {
    return launch_fixed_real(device, pass, window, in, out);
  }
  if (pass.form == PassForm::rows) {
    return launch_fixed_rows(device, pass, window, in, out) || launch_fixed_register_capped_rows(device, pass, window, in, out);
  }
  return launch_fixed_columns(device, pass, window, in, out) ||
         launch_fixed_register_capped_columns(device, pass, window, in, out);
}

}  // namespace

template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                 const Parts<const Real>& in, const Parts<Real>& out) {
  exec::LaunchShape shape{.groups = pass_groups(pass, window)};
  shape.scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(static_cast<index_t>(pass.width) * pass.length));
  const bool is_whole = are_whole(in) && are_whole(out);
  const auto* const from = reinterpret_cast<const Complex<Real>*>(in.first);
  auto* const to = reinterpret_cast<Complex<Real>*>(out.first);
  if (takes_fixed_kernel(pass, window, is_whole) && launch_fixed(device, pass, window, from, to)) {
    return;
  }
  if (pass.stage_count == 0 && pass.length > 1) {
    fail(ErrorKind::usage, "no kernel of this device transforms lines of length " + std::to_string(pass.length) + " that lie so");
  }
  if (is_whole && has_plain_hooks(pass)) {
    exec::launch_on_target(device, shape,
                           PassKernel<Real, pass_team_size, PlainLoad<Real>, PlainStore<Real>>{on_device, window, {from}, {to}});
    return;
  }
  exec::launch_on_target(device, shape,
                         PassKernel<Real, pass_team_size, PartsLoad<Real>, PartsStore<Real>>{
                             on_device, window, {in.first, in.second, in.pitch}, {out.first, out.second, out.pitch}});
}

template <class Real>
void launch_r2c_postprocess(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                            const Parts<Real>& lines) {
  exec::launch_on_target(device, {.groups = pass_groups(pass, window)},
                         R2cPostprocessKernel<Real, pass_team_size>{on_device, window, lines.first, lines.second, lines.pitch});
}

template void launch_pass(exec::Device, const Pass<float>&, const Pass<float>*, const PassWindow&, const Parts<const float>&,
                          const Parts<float>&);
template void launch_pass(exec::Device, const Pass<double>&, const Pass<double>*, const PassWindow&, const Parts<const double>&,
                          const Parts<double>&);
template void launch_r2c_postprocess(exec::Device, const Pass<float>&, const Pass<float>*, const PassWindow&,
                                     const Parts<float>&);
template void launch_r2c_postprocess(exec::Device, const Pass<double>&, const Pass<double>*, const PassWindow&,
                                     const Parts<double>&);

}  // namespace phpc::fft
