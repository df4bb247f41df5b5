#include "casoff/column_comparer.hpp"
#include "casoff/device_search.hpp"
#include "casoff/list_comparer.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::casoff {

namespace {

using Columns = ColumnComparerKernel<1, host_lanes>;
using Finder = FinderKernel<1, host_lanes>;
using List = ListComparerKernel<1, host_lanes>;

/// Sapphire Rapids, 200 Mbp: a query costs 9 ms by columns; listing costs 0.65 s for NRG and 0.33 s for NGG, and a query then
/// 1.1 and 0.6 ms. Lists of 2^21 slots stay in the second and third cache.
constexpr ListCosts costs{4, 420, index_t{1} << 9};

class HostSearch final : public DeviceSearch {
 public:
  explicit HostSearch(const QueryProgram& program) : DeviceSearch(exec::Device::host(), program, costs) {}

 private:
  void run_columns(const Job& job) override {
    exec::launch_on_host(
        {.groups = static_cast<index_t>(job.tiles.size()), .scratch_bytes = Columns::scratch_bytes(program_.view().row_count)},
        Columns{program_.view(), job.words, job.device_tiles, job.sink});
  }
  void run_finder(const Job& job, const SlotLists& lists) override {
    exec::launch_on_host({.groups = static_cast<index_t>(job.tiles.size())},
                         Finder{program_.view(), job.words, job.device_tiles, lists});
  }
  void run_list(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand) override {
    const int width = program_.width(strand);
    exec::launch_on_host({.groups = ceil_div(static_cast<index_t>(count), List::slots_of_group()),
                          .scratch_bytes = List::scratch_bytes(program_.view().row_count, width)},
                         List{program_.view(), job.words, slots, count, job.sink, static_cast<std::int16_t>(strand),
                              static_cast<std::int16_t>(program_.first_shift(strand)), static_cast<std::int16_t>(width)});
  }
};

}  // namespace

std::unique_ptr<DeviceSearch> make_host_search(const QueryProgram& program) {
  return std::make_unique<HostSearch>(program);
}

}  // namespace phpc::casoff
