#include "casoff/kernels/all_slots_comparer.hpp"
#include "casoff/kernels/candidate_comparer.hpp"
#include "casoff/search/device_search.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::casoff {

namespace {

/// Threads of a team, widest first. Of ordinary guides several tables of the widest teams fit into a multiprocessor's scratch;
/// those of guides with many IUPAC codes fit for narrower teams only.
template <int... Sizes>
struct TeamSizes {};
using Sizes = TeamSizes<64, 32, 8>;

/// H200: a query over all slots costs 1.45 ms per 3.1 Gbp; listing candidates costs as much as 44 queries for NRG and 21 for NGG,
/// and a query then 0.42 and 0.2 ms.
constexpr CandidateCosts costs{1, 340, index_t{1} << 14};

class TargetSearch final : public DeviceSearch {
 public:
  TargetSearch(exec::Device device, const QueryProgram& program) : DeviceSearch(device, program, costs) {}

 private:
  template <int Size, int... Narrower>
  void compare_all_slots_in(const Job& job, TeamSizes<Size, Narrower...> /*sizes*/) {
    using Kernel = AllSlotsComparerKernel<Size, 1>;
    const std::size_t scratch = Kernel::scratch_bytes(program_.view().row_count);
    if constexpr (sizeof...(Narrower) > 0) {
      if (scratch > device_.properties().scratch_bytes) {
        compare_all_slots_in(job, TeamSizes<Narrower...>());
        return;
      }
    }
    exec::launch(device_, {.groups = static_cast<index_t>(job.tiles.size()), .scratch_bytes = scratch},
                 Kernel{program_.view(), job.words, job.device_tiles, job.sink});
  }

  template <int Size, int... Narrower>
  void compare_candidates_in(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand,
                             TeamSizes<Size, Narrower...> /*sizes*/) {
    using Kernel = CandidateComparerKernel<Size, 1>;
    const int width = program_.width(strand);
    const std::size_t scratch = Kernel::scratch_bytes(program_.view().row_count, width);
    if constexpr (sizeof...(Narrower) > 0) {
      if (scratch > device_.properties().scratch_bytes) {
        compare_candidates_in(job, slots, count, strand, TeamSizes<Narrower...>());
        return;
      }
    }
    exec::launch(device_, {.groups = ceil_div(static_cast<index_t>(count), Kernel::slots_of_group()), .scratch_bytes = scratch},
                 Kernel{program_.view(), job.words, slots, count, job.sink, static_cast<std::int16_t>(strand),
                        static_cast<std::int16_t>(program_.first_shift(strand)), static_cast<std::int16_t>(width)});
  }

  void compare_all_slots(const Job& job) override { compare_all_slots_in(job, Sizes()); }
  void find_candidates(const Job& job, const CandidateLists& lists) override {
    exec::launch(device_, {.groups = static_cast<index_t>(job.tiles.size())},
                 PamFinderKernel<64, 1>{program_.view(), job.words, job.device_tiles, lists});
  }
  void compare_candidates(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand) override {
    compare_candidates_in(job, slots, count, strand, Sizes());
  }
};

}  // namespace

std::unique_ptr<DeviceSearch> make_target_search(exec::Device device, const QueryProgram& program) {
  return std::make_unique<TargetSearch>(device, program);
}

}  // namespace phpc::casoff
