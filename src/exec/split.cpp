#include "phpc/exec/split.hpp"

#include <vector>

#include "phpc/core/first_error.hpp"
#include "phpc/core/threads.hpp"

namespace phpc::exec {

Range split_evenly(index_t count, index_t parts, index_t part) {
  // The first `count % parts` ranges are one longer; no product that could overflow.
  const index_t each = count / parts;
  const index_t longer = count % parts;
  const index_t begin = part * each + (part < longer ? part : longer);
  return {begin, begin + each + (part < longer ? 1 : 0)};
}

void for_each_device(std::span<const Device> devices, index_t count, const std::function<void(Device, Range)>& work) {
  const auto parts = static_cast<index_t>(devices.size());
  if (parts == 1) {
    if (count > 0) {
      work(devices[0], {0, count});
    }
    return;
  }
  std::vector<FirstError> errors(devices.size());  // by device, so that the same failure gives the same message
  {
    Threads threads;
    for (index_t part = 0; part < parts; ++part) {
      const Range range = split_evenly(count, parts, part);
      if (range.size() > 0) {
        const Device device = devices[static_cast<std::size_t>(part)];
        FirstError& error = errors[static_cast<std::size_t>(part)];
        const auto do_part = [&work, &error, device, range] { error.guard([&] { work(device, range); }); };
        if (threads.start(1, do_part) == 0) {
          do_part();
        }
      }
    }
  }
  for (FirstError& error : errors) {
    error.rethrow();
  }
}

}  // namespace phpc::exec
