#include "phpc/exec/split.hpp"

#include <exception>
#include <vector>

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
  std::vector<std::exception_ptr> errors(devices.size());
  Threads threads;
  for (index_t part = 0; part < parts; ++part) {
    const Range range = split_evenly(count, parts, part);
    if (range.size() > 0) {
      const auto do_part = [&, part, range] {
        try {
          work(devices[static_cast<std::size_t>(part)], range);
        } catch (...) {
          errors[static_cast<std::size_t>(part)] = std::current_exception();
        }
      };
      if (threads.start(1, do_part) == 0) {
        do_part();
      }
    }
  }
  threads.join();
  for (const std::exception_ptr& error : errors) {
    if (error != nullptr) {
      std::rethrow_exception(error);
    }
  }
}

}  // namespace phpc::exec
