#pragma once
#include "casoff/kernels/all_slots_comparer.hpp"
#include "casoff/kernels/candidate_comparer.hpp"
#include "casoff/search/device_search.hpp"
#include "phpc/exec/launch.hpp"

/// The host's search, for the instruction set that the including file is compiled for. Each type here belongs to one file, so
/// that the linker never takes code for a wider processor than the one at hand.
namespace phpc::casoff {
namespace {

using AllSlotsComparer = AllSlotsComparerKernel<1, host_lanes>;
using PamFinder = PamFinderKernel<1, host_lanes>;
using CandidateComparer = CandidateComparerKernel<1, host_lanes>;

/// Sapphire Rapids, 200 Mbp: a query costs 9 ms over all slots; listing candidates costs 0.45-0.65 s for NRG and half of it for
/// NGG, and a query then 1.1 and 0.6 ms. With AVX2 40 ms and 5.8 ms, after 0.75 s. Lists of 2^21 slots stay in the second and
/// third cache.
constexpr CandidateCosts costs{4, host_lanes == 16 ? 400 : 120, index_t{1} << 9};

class HostSearch final : public DeviceSearch {
 public:
  explicit HostSearch(const QueryProgram& program) : DeviceSearch(exec::Device::host(), program, costs) {}

 private:
  void compare_all_slots(const Job& job) override {
    exec::launch_on_host({.groups = static_cast<index_t>(job.tiles.size()),
                          .scratch_bytes = AllSlotsComparer::scratch_bytes(program_.view().row_count)},
                         AllSlotsComparer{program_.view(), job.words, job.device_tiles, job.sink});
  }
  void find_candidates(const Job& job, const CandidateLists& lists) override {
    exec::launch_on_host({.groups = static_cast<index_t>(job.tiles.size())},
                         PamFinder{program_.view(), job.words, job.device_tiles, lists});
  }
  void compare_candidates(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand) override {
    const int width = program_.width(strand);
    exec::launch_on_host(
        {.groups = ceil_div(static_cast<index_t>(count), CandidateComparer::slots_of_group()),
         .scratch_bytes = CandidateComparer::scratch_bytes(program_.view().row_count, width)},
        CandidateComparer{program_.view(), job.words, slots, count, job.sink, static_cast<std::int16_t>(strand),
                          static_cast<std::int16_t>(program_.first_shift(strand)), static_cast<std::int16_t>(width)});
  }
};

}  // namespace
}  // namespace phpc::casoff
