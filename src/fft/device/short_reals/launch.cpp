#include "fft/device/short_reals/launch.hpp"

#include <algorithm>

#include "fft/device/short_reals/kernel.hpp"
#include "fft/math/factors.hpp"
#include "fft/math/roots.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

template <class Real>
int ShortReals<Real>::team_size() const {
  return static_cast<int>(lines * (padded / short_reals_block));
}

template <class Real>
std::size_t ShortReals<Real>::scratch_bytes() const {
  return ShortRealsKernel<Real>::scratch_bytes(length, lines);
}

bool takes_short_reals(index_t length) {
  return length % 2 == 1 && length <= longest_short_reals && !is_smooth(length);
}

/// Teams of 128 or 256 threads.
template <class Real>
ShortReals<Real> short_reals(index_t length, bool is_from_reals) {
  ShortReals<Real> plan;
  plan.length = static_cast<unsigned>(length);
  plan.padded = (plan.length / 2 + short_reals_block) / short_reals_block * short_reals_block;
  plan.lines = plan.padded > 2 * short_reals_block ? 64 : 128;
  plan.is_from_reals = is_from_reals;
  return plan;
}

std::vector<Complex<double>> short_reals_factors(index_t length) {
  const RootsOfUnity root(length);
  const auto padded = static_cast<index_t>(short_reals<float>(length, true).padded);
  std::vector<Complex<double>> factors;
  for (index_t e = 1; e <= length / 2; ++e) {
    for (index_t k = 0; k < padded; ++k) {
      factors.push_back(root(e * k % length));
    }
  }
  return factors;
}

template <class Real>
void launch_short_reals(exec::Device device, const ShortReals<Real>& plan, const ShortRealRows<Real>& rows) {
  constexpr index_t most_teams = index_t{1} << 20;
  const index_t most = most_teams * plan.lines;
  for (index_t done = 0; done < rows.count; done += most) {
    const index_t count = std::min(rows.count - done, most);
    exec::launch_on_gpu(
        device,
        {.groups = ceil_div(count, index_t{plan.lines}), .scratch_bytes = plan.scratch_bytes(), .team_size = plan.team_size()},
        ShortRealsKernel<Real>{rows.in + done * rows.from, rows.out + done * rows.to, plan.factors, rows.from, rows.to, count,
                               plan.length, plan.lines, plan.padded, rows.scale, plan.is_from_reals});
  }
}

template struct ShortReals<float>;
template struct ShortReals<double>;
template ShortReals<float> short_reals(index_t, bool);
template ShortReals<double> short_reals(index_t, bool);
template void launch_short_reals(exec::Device, const ShortReals<float>&, const ShortRealRows<float>&);
template void launch_short_reals(exec::Device, const ShortReals<double>&, const ShortRealRows<double>&);

}  // namespace phpc::fft
