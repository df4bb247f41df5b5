#include "fft/device/pass_launch.hpp"

#include <string>

#include "fft/device/fixed/loops.hpp"
#include "fft/device/pass_kernel.hpp"
#include "fft/device/r2c_postprocess.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                 const Parts<const Real>& in, const Parts<Real>& out, const FixedKernel<Real>& fixed) {
  const bool is_whole = are_whole(in) && are_whole(out);
  const auto* const from = reinterpret_cast<const Complex<Real>*>(in.first);
  auto* const to = reinterpret_cast<Complex<Real>*>(out.first);
  if (fixed.launch != nullptr && (is_whole || !fixed.needs_whole) && has_fixed_loops(pass, window)) {
    fixed.launch(device, pass, window, from, to);
    return;
  }
  exec::LaunchShape shape{.groups = pass_groups(pass, window)};
  shape.scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(static_cast<index_t>(pass.width) * pass.length));
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
                          const Parts<float>&, const FixedKernel<float>&);
template void launch_pass(exec::Device, const Pass<double>&, const Pass<double>*, const PassWindow&, const Parts<const double>&,
                          const Parts<double>&, const FixedKernel<double>&);
template void launch_r2c_postprocess(exec::Device, const Pass<float>&, const Pass<float>*, const PassWindow&,
                                     const Parts<float>&);
template void launch_r2c_postprocess(exec::Device, const Pass<double>&, const Pass<double>*, const PassWindow&,
                                     const Parts<double>&);

}  // namespace phpc::fft
