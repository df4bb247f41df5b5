#pragma once
#include <functional>
#include <span>

#include "phpc/exec/device.hpp"

namespace phpc::exec {

/// Numbers from `begin` on, before `end`.
struct Range {
  index_t begin;
  index_t end;
  [[nodiscard]] index_t size() const { return end - begin; }
};
/// Part `part` of [0, count) cut into `parts` nearly equal, ascending, adjoining ranges (sizes differ by at most one).
Range split_evenly(index_t count, index_t parts, index_t part);

/// Splits [0, count) over `devices`, each part on its own host thread at the same time, and waits for all.
/// `work(device, range)` is not called for an empty range. The first error (by device order) is thrown once all have stopped.
void for_each_device(std::span<const Device> devices, index_t count, const std::function<void(Device, Range)>& work);

}  // namespace phpc::exec
