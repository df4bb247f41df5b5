#pragma once
#include <memory>
#include <span>
#include <vector>

#include "casoff/kernels/column.hpp"
#include "casoff/kernels/pam_finder.hpp"
#include "casoff/kernels/program_view.hpp"
#include "casoff/query/query_program.hpp"
#include "casoff/search/chunk_search.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::casoff {

/// A QueryProgram in a device's memory.
class DeviceProgram {
 public:
  DeviceProgram(exec::Device device, const QueryProgram& program);

  [[nodiscard]] const ProgramView& view() const { return view_; }
  [[nodiscard]] double fitting_fraction() const { return fitting_fraction_; }
  [[nodiscard]] index_t queries() const { return queries_.size() / 2; }
  /// The lowest shift of a strand's rows, and 32 or 64: how many bases they span at most.
  [[nodiscard]] int first_shift(int strand) const { return first_shift_[strand]; }
  [[nodiscard]] int width(int strand) const { return width_[strand]; }

 private:
  exec::Buffer<TableRow> rows_;
  exec::Buffer<TableRow> pattern_;
  exec::Buffer<QueryGroup> groups_;
  exec::Buffer<Query> queries_;
  exec::Buffer<std::uint16_t> row_numbers_;
  exec::Buffer<std::uint16_t> used_rows_;
  ProgramView view_{};
  double fitting_fraction_;
  int first_shift_[2];
  int width_[2];
};

/// Which slots are compared with the queries.
enum class Comparison {
  all_slots,   ///< all, as they lie (all_slots_comparer.hpp)
  candidates,  ///< those that fit the pattern, listed first (pam_finder.hpp, candidate_comparer.hpp)
};

/// What listing candidates costs a device, in queries compared with all slots, by measurement: lists pay where they save more.
struct CandidateCosts {
  double finder;       ///< to find the candidates
  double listing;      ///< to read their windows, were all slots candidates
  index_t part_tiles;  ///< how many tiles are listed at once
};

/// The search by a query program: mismatches are counted for 64 slots in one word.
class DeviceSearch : public ChunkSearch {
 public:
  /// For the host, or for any other device.
  static std::unique_ptr<DeviceSearch> make(exec::Device device, const QueryProgram& program);

  std::uint64_t run(std::span<const BaseWord> words, std::span<const Tile> tiles, std::uint64_t limit,
                    std::vector<Hit>& hits) override;

  /// Launches the kernels of the last run() once more, for benchmarks; its words must still be there. Returns how many hits there
  /// are.
  std::uint64_t repeat();

  /// Which slots are compared, chosen by costs; tests and benchmarks set the other.
  [[nodiscard]] Comparison comparison() const { return comparison_; }
  void set_comparison(Comparison comparison) { comparison_ = comparison; }

 protected:
  DeviceSearch(exec::Device device, const QueryProgram& program, const CandidateCosts& costs);

  /// Input and output of one launch.
  struct Job {
    WordView words;
    std::span<const Tile> tiles;
    const Tile* device_tiles;
    HitSink sink;
  };
  virtual void compare_all_slots(const Job& job) = 0;
  virtual void find_candidates(const Job& job, const CandidateLists& lists) = 0;
  virtual void compare_candidates(const Job& job, const std::uint32_t* slots, std::uint64_t count, int strand) = 0;

  exec::Device device_;
  DeviceProgram program_;

 private:
  void compare();
  /// compare_all_slots(), with its time.
  void time_all_slots(const Job& job);
  void upload(std::span<const BaseWord> words, std::span<const Tile> tiles);

  Comparison comparison_;
  Job job_{};
  index_t part_tiles_;
  exec::Buffer<BaseWord> words_;
  exec::Buffer<Tile> tiles_;
  exec::Buffer<std::uint32_t> lists_;
  exec::Buffer<std::uint64_t> counts_;  ///< of both lists, and of hits
  exec::Buffer<Hit> hits_;
};

/// The search of the host, by the instructions that its processor has.
std::unique_ptr<DeviceSearch> make_host_search(const QueryProgram& program);
/// That of a host with AVX-512, whatever the rest is compiled for.
std::unique_ptr<DeviceSearch> make_avx512_search(const QueryProgram& program);
/// The search of any other device.
std::unique_ptr<DeviceSearch> make_target_search(exec::Device device, const QueryProgram& program);

}  // namespace phpc::casoff
