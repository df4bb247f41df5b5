#pragma once
#include "fft/device/general/ends/prime_tiles.hpp"
#include "fft/device/general/kernel.hpp"
#include "fft/device/general/launch_primes.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real>
void launch_primes(exec::Device device, const GeneralRows<Real>& plan, const PassInMemory<Real>& pass) {
  constexpr PrimeClass its = prime_class<Real>;
  const PassTiles<Real> tiles{pass.in, pass.out, pass.pass, pass.loops, pass.in_imaginary, pass.out_imaginary};
  const GeneralStage* const stages = plan.work.stages + plan.work.stage_count;  // behind those between them
  exec::launch_on_gpu(device, {.groups = pass.groups, .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
                      GeneralKernel<Real, its.largest, PrimeTiles<Real>>{{tiles, stages[0], stages[1]}, plan.work});
}

}  // namespace phpc::fft
