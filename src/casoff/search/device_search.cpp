#include "casoff/search/device_search.hpp"

#include <algorithm>

#include "phpc/core/phase_timer.hpp"

namespace phpc::casoff {

namespace {

/// How many hits there is room for at first: those of thousands of guides in a chunk.
constexpr index_t first_hit_capacity = index_t{1} << 18;

/// Copies a member of both strands' programs to the device, one after the other.
template <class T>
exec::Buffer<T> joined(exec::Device device, const QueryProgram& program, std::vector<T> StrandProgram::* member) {
  std::vector<T> all = program.strands[0].*member;
  all.insert(all.end(), (program.strands[1].*member).begin(), (program.strands[1].*member).end());
  return {device, std::span<const T>(all)};
}

exec::Buffer<QueryGroup> joined_groups(exec::Device device, const QueryProgram& program) {
  std::vector<QueryGroup> all = program.strands[0].groups;
  for (QueryGroup group : program.strands[1].groups) {
    group.first += static_cast<std::uint32_t>(program.strands[0].queries.size());
    group.rows += static_cast<std::uint32_t>(program.strands[0].row_numbers.size());
    all.push_back(group);
  }
  return {device, std::span<const QueryGroup>(all)};
}

template <class T>
void set_ends(int (&end)[2], const QueryProgram& program, std::vector<T> StrandProgram::* member) {
  end[0] = static_cast<int>((program.strands[0].*member).size());
  end[1] = end[0] + static_cast<int>((program.strands[1].*member).size());
}

}  // namespace

DeviceProgram::DeviceProgram(exec::Device device, const QueryProgram& program)
    : rows_(device, std::span<const TableRow>(program.rows)),
      pattern_(joined(device, program, &StrandProgram::pattern)),
      groups_(joined_groups(device, program)),
      queries_(joined(device, program, &StrandProgram::queries)),
      row_numbers_(joined(device, program, &StrandProgram::row_numbers)),
      used_rows_(joined(device, program, &StrandProgram::used_rows)),
      fitting_fraction_(program.fitting_fraction()) {
  view_.rows = rows_.data();
  view_.pattern = pattern_.data();
  view_.groups = groups_.data();
  view_.queries = queries_.data();
  view_.row_numbers = row_numbers_.data();
  view_.used_rows = used_rows_.data();
  view_.rule = program.rule;
  set_ends(view_.pattern_end, program, &StrandProgram::pattern);
  set_ends(view_.group_end, program, &StrandProgram::groups);
  set_ends(view_.used_end, program, &StrandProgram::used_rows);
  view_.row_count = static_cast<int>(program.rows.size()) - 1;
  for (int strand = 0; strand < 2; ++strand) {
    int lowest = 0;
    int highest = 0;
    for (const std::uint16_t& row : program.strands[strand].used_rows) {
      const int shift = program.rows[row].shift;
      const bool is_first = &row == program.strands[strand].used_rows.data();
      lowest = is_first ? shift : std::min(lowest, shift);
      highest = is_first ? shift : std::max(highest, shift);
    }
    first_shift_[strand] = lowest;
    width_[strand] = highest - lowest < 32 ? 32 : 64;
  }
}

DeviceSearch::DeviceSearch(exec::Device device, const QueryProgram& program, const CandidateCosts& costs)
    : device_(device),
      program_(device, program),
      part_tiles_(costs.part_tiles),
      words_(device, 0),
      tiles_(device, 0),
      lists_(device, 0),
      counts_(device, 3),
      hits_(device, 0) {
  const double fraction = program_.fitting_fraction();
  const double saved = static_cast<double>(program_.queries()) * (1 - fraction);
  comparison_ = saved > costs.finder + costs.listing * fraction ? Comparison::candidates : Comparison::all_slots;
}

ChunkSearch::~ChunkSearch() = default;

void DeviceSearch::time_all_slots(const Job& job) {
  const PhaseTimer timer(times_.comparer);
  compare_all_slots(job);
}

void DeviceSearch::compare() {
  const Job& job = job_;
  if (comparison_ == Comparison::all_slots) {
    time_all_slots(job);
    return;
  }
  const auto slots = static_cast<double>(part_tiles_ * tile_words * bases_per_word);
  // Random genomes stay far below twice what is expected; of a part that does not all slots are compared.
  const auto capacity = static_cast<index_t>(std::min(1.0, 2 * program_.fitting_fraction()) * slots) + 1024;
  ensure_size(lists_, 2 * capacity);
  const CandidateLists lists{{lists_.data(), lists_.data() + capacity}, counts_.data(), static_cast<std::uint64_t>(capacity)};
  for (std::size_t first = 0; first < job.tiles.size(); first += static_cast<std::size_t>(part_tiles_)) {
    const std::size_t size = std::min(static_cast<std::size_t>(part_tiles_), job.tiles.size() - first);
    Job part = job;
    part.tiles = job.tiles.subspan(first, size);
    part.device_tiles = job.device_tiles + first;
    std::uint64_t listed[2] = {};
    {
      const PhaseTimer timer(times_.finder);
      counts_.copy_from(listed);
      find_candidates(part, lists);
      counts_.copy_to(listed);
    }
    if (std::max(listed[0], listed[1]) > lists.capacity) {
      time_all_slots(part);
      continue;
    }
    const PhaseTimer timer(times_.comparer);
    for (int strand = 0; strand < 2; ++strand) {
      if (listed[strand] != 0) {
        compare_candidates(part, lists.slots[strand], listed[strand], strand);
      }
    }
  }
}

std::uint64_t DeviceSearch::run(std::span<const BaseWord> words, std::span<const Tile> tiles, std::uint64_t limit,
                                std::vector<Hit>& hits) {
  hits.clear();
  upload(words, tiles);
  ensure_size(hits_, first_hit_capacity);
  std::uint64_t found = repeat();
  while (found <= limit && found > static_cast<std::uint64_t>(hits_.size())) {
    // Chunks after this one will have about as many: a little more room spares them the second search.
    ensure_size(hits_, static_cast<index_t>(found + found / 4));
    found = repeat();
  }
  if (found <= limit) {
    const PhaseTimer timer(times_.download);
    hits.resize(found);
    hits_.copy_to(hits);
  }
  return found;
}

void DeviceSearch::upload(std::span<const BaseWord> words, std::span<const Tile> tiles) {
  const PhaseTimer timer(times_.upload);
  // Bases lie up to 63 before a slot and after it.
  const index_t base = std::max<index_t>(0, index_t{tiles.front().first_word} - 1);
  const index_t end = std::min<index_t>(static_cast<index_t>(words.size()),
                                        tiles.back().first_word + ceil_div(tiles.back().slots, bases_per_word) + 1);
  const auto used = words.subspan(static_cast<std::size_t>(base), static_cast<std::size_t>(end - base));
  job_ = {{used.data(), end - base, base}, tiles, tiles.data(), {}};
  if (!device_.is_host()) {
    ensure_size(words_, static_cast<index_t>(used.size()));
    words_.copy_from(used);
    ensure_size(tiles_, static_cast<index_t>(tiles.size()));
    tiles_.copy_from(tiles);
    job_.words.words = words_.data();
    job_.device_tiles = tiles_.data();
  }
}

std::uint64_t DeviceSearch::repeat() {
  std::uint64_t found = 0;
  counts_.copy_from(std::span(&found, 1), 2);
  job_.sink = {hits_.data(), counts_.data() + 2, static_cast<std::uint64_t>(hits_.size())};
  compare();
  counts_.copy_to(std::span(&found, 1), 2);
  return found;
}

std::unique_ptr<DeviceSearch> DeviceSearch::make(exec::Device device, const QueryProgram& program) {
  return device.is_host() ? make_host_search(program) : make_target_search(device, program);
}

}  // namespace phpc::casoff
