#include "casoff/kernels/all_slots_comparer.hpp"
#include "casoff/kernels/candidate_comparer.hpp"
#include "casoff/search/device_search.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::casoff {

namespace {

/// Tables of ordinary guides leave several of the widest teams to a multiprocessor; those of guides with many IUPAC codes need
/// narrower ones to fit at all.
template <int... Sizes>
struct TeamSizes {};
using Sizes = TeamSizes<64, 32, 8>;

/// H200: a query costs 1.45 ms per 3.1 Gbp by columns; listing costs as much as 44 queries for NRG and 21 for NGG, and a query
/// then 0.42 and 0.2 ms.
constexpr ListCosts costs{1, 340, index_t{1} << 14};

class TargetSearch final : public DeviceSearch {
 public:
  TargetSearch(exec::Device device, const QueryProgram& program) : DeviceSearch(device, program, costs) {}

 private:
  template <int Size, int... Narrower>
  void run_columns_in(const Job& job, TeamSizes<Size, Narrower...> /*sizes*/) {
    using Kernel = ColumnComparerKernel<Size, 1>;
    const std::size_t scratch = Kernel::scratch_bytes(program_.view().row_count);
    if constexpr (sizeof...(Narrower) > 0) {
      if (scratch > device_.properties().scratch_bytes) {
        run_columns_in(job, TeamSizes<Narrower...>());
        return;
      }
    }
    exec::launch(device_, {.groups = static_cast<index_t>(job.tiles.size()), .scratch_bytes = scratch},
                 Kernel{program_.view(), job.words, job.device_tiles, job.sink});
  }

  template <int Size, int... Narrower>
  void run_list_in(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand,
                   TeamSizes<Size, Narrower...> /*sizes*/) {
    using Kernel = ListComparerKernel<Size, 1>;
    const int width = program_.width(strand);
    const std::size_t scratch = Kernel::scratch_bytes(program_.view().row_count, width);
    if constexpr (sizeof...(Narrower) > 0) {
      if (scratch > device_.properties().scratch_bytes) {
        run_list_in(job, slots, count, strand, TeamSizes<Narrower...>());
        return;
      }
    }
    exec::launch(device_, {.groups = ceil_div(static_cast<index_t>(count), Kernel::slots_of_group()), .scratch_bytes = scratch},
                 Kernel{program_.view(), job.words, slots, count, job.sink, static_cast<std::int16_t>(strand),
                        static_cast<std::int16_t>(program_.first_shift(strand)), static_cast<std::int16_t>(width)});
  }

  void run_columns(const Job& job) override { run_columns_in(job, Sizes()); }
  void run_finder(const Job& job, const SlotLists& lists) override {
    exec::launch(device_, {.groups = static_cast<index_t>(job.tiles.size())},
                 FinderKernel<64, 1>{program_.view(), job.words, job.device_tiles, lists});
  }
  void run_list(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand) override {
    run_list_in(job, slots, count, strand, Sizes());
  }
};

}  // namespace

std::unique_ptr<DeviceSearch> make_target_search(exec::Device device, const QueryProgram& program) {
  return std::make_unique<TargetSearch>(device, program);
}

}  // namespace phpc::casoff
