#include "cli/bench/empty_launch.hpp"

#include "phpc/exec/launch.hpp"

namespace phpc::cli {

namespace {

struct EmptyKernel {
  struct Scratch {};
  static constexpr int team_size = 32;

  [[gnu::always_inline]] void operator()(const exec::Team& /*team*/, Scratch& /*scratch*/) const {}
};

}  // namespace

void launch_empty_kernel(exec::Device device) {
  exec::launch(device, {.groups = 1}, EmptyKernel{});
}

}  // namespace phpc::cli
