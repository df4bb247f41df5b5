#include <algorithm>

#include "phpc/fft/hooks.hpp"

namespace phpc::fft::detail {

index_t hooked_part(exec::Device device, index_t batch, std::size_t bytes_each) {
  // A host thread's share stays in its cache; a GPU needs parts beside which ten microseconds of launching do not count.
  const std::size_t wanted =
      device.is_host() ? static_cast<std::size_t>(device.properties().compute_units) << 20 : std::size_t{256} << 20;
  return std::clamp<index_t>(static_cast<index_t>(wanted / bytes_each), 1, std::max<index_t>(batch, 1));
}

}  // namespace phpc::fft::detail
