#pragma once
#include <algorithm>

#include "fft/device/general/launch.hpp"
#include "fft/device/general/rows.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

/// Teams of one launch: far below what a GPU's grids and 32 bits hold, far above what it needs.
inline constexpr index_t most_general_teams = index_t{1} << 20;

template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const RowsInMemory<Real>& rows) {
  const index_t width = plan.work.width;
  for (index_t done = 0; done < rows.count; done += most_general_teams * width) {
    const index_t count = std::min(rows.count - done, most_general_teams * width);
    const Real sign = rows.is_inverse ? -1 : 1;
    exec::launch_on_gpu(
        device, {.groups = ceil_div(count, width), .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
        GeneralRowsKernel<Real, Largest>{rows.in + done * rows.from, rows.out + done * rows.to, rows.from, rows.to, sign,
                                         rows.scale, sign * rows.scale, static_cast<unsigned>(count), plan.work});
  }
}

}  // namespace phpc::fft
