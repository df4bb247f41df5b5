#include "fft/pass_launch.hpp"

#include <limits>

#include "fft/fixed_launch.hpp"
#include "fft/pass_kernel.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

namespace {

constexpr int threads = 256;

/// What kernels of a fixed length can do on an element's way in and out: all but factors and ends.
template <class Real>
bool has_plain_hooks(const Pass<Real>& pass) {
  constexpr index_t all = std::numeric_limits<index_t>::max();
  return pass.load.factors == nullptr && pass.load.count == all && pass.store.factors == nullptr && pass.store.count == all &&
         !pass.store.swap_first;
}

template <class Real>
bool launch_fixed(exec::Device device, const Pass<Real>& pass, BatchIndex batch_index, index_t batch, const Complex<Real>* in,
                  Complex<Real>* out) {
  if (pass.form == PassForm::convolution) {
    launch_fixed_convolution(device, pass, batch, in, out);
    return true;
  }
  if (pass.fixed_twiddles == nullptr || !has_plain_hooks(pass)) {
    return false;
  }
  return pass.form == PassForm::rows ? launch_fixed_rows(device, pass, batch_index, batch, in, out)
                                     : launch_fixed_columns(device, pass, batch_index, batch, in, out);
}

}  // namespace

template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, BatchIndex batch_index, index_t batch,
                 const Complex<Real>* in, Complex<Real>* out) {
  if (launch_fixed(device, pass, batch_index, batch, in, out)) {
    return;
  }
  exec::LaunchShape shape{.groups = pass_groups(pass, batch_index, batch)};
  shape.scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(static_cast<index_t>(pass.width) * pass.length));
  exec::launch(device, shape, PassKernel<Real, threads>{on_device, in, out, batch_index, batch});
}

template void launch_pass(exec::Device device, const Pass<float>& pass, const Pass<float>* on_device, BatchIndex batch_index,
                          index_t batch, const Complex<float>* in, Complex<float>* out);
template void launch_pass(exec::Device device, const Pass<double>& pass, const Pass<double>* on_device, BatchIndex batch_index,
                          index_t batch, const Complex<double>* in, Complex<double>* out);

}  // namespace phpc::fft
