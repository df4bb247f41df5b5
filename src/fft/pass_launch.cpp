#include "fft/pass_launch.hpp"

#include "fft/pass_kernel.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

namespace {

constexpr int threads = 256;

}  // namespace

template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass) {
  exec::LaunchShape shape{.groups = pass_groups(pass)};
  shape.scratch_bytes = static_cast<std::size_t>(tile_bytes<Real>(static_cast<index_t>(pass.width) * pass.length));
  if (shape.scratch_bytes <= static_tile_bytes) {
    exec::launch(device, shape, PassKernel<Real, threads, StaticTile>{pass});
  } else {
    exec::launch(device, shape, PassKernel<Real, threads, exec::DynamicScratch>{pass});
  }
}

template void launch_pass(exec::Device device, const Pass<float>& pass);
template void launch_pass(exec::Device device, const Pass<double>& pass);

}  // namespace phpc::fft
