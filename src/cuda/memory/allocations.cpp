#include "cuda/memory/allocations.hpp"

#include <iterator>
#include <map>
#include <mutex>
#include <shared_mutex>

namespace phpc::cuda::allocations {

namespace {

struct Table {
  std::shared_mutex mutex;
  std::map<std::uintptr_t, Allocation> all;  ///< by their beginning; none overlap

  static Table& get() {
    static Table& table = *new Table;  // to the end of the process
    return table;
  }
};

}  // namespace

void add(const Allocation& allocation) {
  Table& table = Table::get();
  const std::scoped_lock lock(table.mutex);
  table.all[allocation.base] = allocation;
}

std::optional<Allocation> find(const void* pointer) {
  Table& table = Table::get();
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const std::shared_lock lock(table.mutex);
  const auto next = table.all.upper_bound(address);
  if (next == table.all.begin()) {
    return std::nullopt;
  }
  const Allocation& before = std::prev(next)->second;
  return address - before.base < before.bytes ? std::optional(before) : std::nullopt;
}

std::optional<Allocation> take(const void* pointer, MemoryKind kind, MemoryKind other) {
  Table& table = Table::get();
  const std::scoped_lock lock(table.mutex);
  const auto found = table.all.find(reinterpret_cast<std::uintptr_t>(pointer));
  if (found == table.all.end() || found->second.is_variable || (found->second.kind != kind && found->second.kind != other)) {
    return std::nullopt;
  }
  const Allocation taken = found->second;
  table.all.erase(found);
  return taken;
}

std::vector<Allocation> take_all(int device) {
  Table& table = Table::get();
  std::vector<Allocation> taken;
  const std::scoped_lock lock(table.mutex);
  for (auto one = table.all.begin(); one != table.all.end();) {
    const bool is_wanted = !one->second.is_variable && one->second.device == device &&
                           (one->second.kind == MemoryKind::device || one->second.kind == MemoryKind::managed);
    if (is_wanted) {
      taken.push_back(one->second);
    }
    one = is_wanted ? table.all.erase(one) : std::next(one);
  }
  return taken;
}

}  // namespace phpc::cuda::allocations
