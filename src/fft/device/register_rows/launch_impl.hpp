#pragma once
#include <algorithm>
#include <cstddef>

#include "fft/device/register_rows/kernel.hpp"
#include "fft/device/register_rows/launch.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real, int Class, RowKind Numbers>
void launch_register_row_class(exec::Device device, unsigned length, const RegisterRowsInMemory<Real>& rows) {
  constexpr index_t most_teams = index_t{1} << 24;
  const index_t lines = register_rows_of_team(Numbers, length);
  for (index_t done = 0; done < rows.count; done += most_teams * lines) {
    const index_t count = std::min(rows.count - done, most_teams * lines);
    exec::launch_on_gpu(device,
                        {.groups = ceil_div(count, lines),
                         .scratch_bytes = register_row_scratch_bytes<Real>(Numbers, length),
                         .team_size = static_cast<int>(lines)},
                        RegisterRowsKernel<Real, Class, Numbers>{rows.in + done * rows.from, rows.out + done * rows.to, rows.from,
                                                                 rows.to, count, length, rows.scale, rows.is_inverse});
  }
}

}  // namespace phpc::fft
