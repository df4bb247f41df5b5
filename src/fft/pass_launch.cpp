#include "fft/pass_launch.hpp"

#include "fft/pass_kernel.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

namespace {

constexpr int threads = 256;

}  // namespace

template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, BatchIndex batch_index, index_t batch,
                 const Complex<Real>* in, Complex<Real>* out) {
  exec::LaunchShape shape{.groups = pass_groups(pass, batch_index, batch)};
  shape.scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(static_cast<index_t>(pass.width) * pass.length));
  if (shape.scratch_bytes <= static_tile_bytes) {
    exec::launch(device, shape, PassKernel<Real, threads, StaticTile>{on_device, in, out, batch_index, batch});
  } else {
    exec::launch(device, shape, PassKernel<Real, threads, exec::DynamicScratch>{on_device, in, out, batch_index, batch});
  }
}

template void launch_pass(exec::Device device, const Pass<float>& pass, const Pass<float>* on_device, BatchIndex batch_index,
                          index_t batch, const Complex<float>* in, Complex<float>* out);
template void launch_pass(exec::Device device, const Pass<double>& pass, const Pass<double>* on_device, BatchIndex batch_index,
                          index_t batch, const Complex<double>* in, Complex<double>* out);

}  // namespace phpc::fft
