#include "jobs/batch/groups.hpp"

#include <algorithm>
#include <utility>

namespace phpc::jobs {

namespace {

constexpr std::size_t place_of(index_t place) {
  return static_cast<std::size_t>(place);
}

/// A group that is being put together.
struct PartOfPiece {
  std::shared_ptr<const io::FolderPattern> pattern;
  std::vector<double> values;
  std::vector<index_t> systems;
  std::vector<double> first_values;
};

/// Each value, with `words` - 1 zeros behind it.
void append_numbers(std::vector<double>& all, std::span<const double> values, index_t words) {
  if (words == 1) {
    all.insert(all.end(), values.begin(), values.end());
    return;
  }
  for (const double value : values) {
    all.push_back(value);
    all.insert(all.end(), place_of(words - 1), 0.0);
  }
}

}  // namespace

std::vector<io::FolderMatrix> BatchMatrices::read(index_t first, index_t count, Progress& progress) const {
  if (!keeps_) {
    return read_(first, count, progress);
  }
  if (state_->kept.empty()) {
    state_->kept = read_(0, sets_, progress);
  }
  const auto begin = state_->kept.begin() + first;
  return {begin, begin + count};
}

std::vector<double> BatchMatrices::first_values_of(const std::shared_ptr<const io::FolderPattern>& pattern) const {
  constexpr index_t block = 64;
  std::vector<double> values;
  for (index_t begin = 0; begin < sets_; begin += block) {
    for (const io::FolderMatrix& matrix : read(begin, std::min(block, sets_ - begin), no_progress())) {
      if (matrix.pattern == pattern) {
        append_numbers(values, matrix.values, words_);
        return values;
      }
    }
  }
  return values;
}

std::vector<BatchGroup> BatchMatrices::groups(exec::Range systems, Progress& progress) const {
  const index_t count = std::min(sets_, systems.size());
  const index_t first = systems.begin % sets_;
  const index_t before_wrap = std::min(count, sets_ - first);
  std::vector<io::FolderMatrix> matrices = read(first, before_wrap, progress);
  std::vector<io::FolderMatrix> wrapped = before_wrap < count ? read(0, count - before_wrap, progress) : decltype(matrices)();
  matrices.insert(matrices.end(), std::make_move_iterator(wrapped.begin()), std::make_move_iterator(wrapped.end()));

  state_->began_at_0 = state_->began ? state_->began_at_0 : systems.begin == 0;
  state_->began = true;
  std::vector<PartOfPiece> parts;
  std::map<std::shared_ptr<const io::FolderPattern>, std::size_t> part_of;
  std::vector<std::size_t> parts_of_sets;
  for (io::FolderMatrix& matrix : matrices) {
    const auto [found, is_new] = part_of.try_emplace(matrix.pattern, parts.size());
    if (is_new) {
      parts.push_back({matrix.pattern, {}, {}, {}});
      const bool is_met = !state_->numbers.try_emplace(matrix.pattern, static_cast<int>(state_->numbers.size())).second;
      if (gives_first_values_ && !is_met && !state_->began_at_0) {
        parts.back().first_values = first_values_of(matrix.pattern);
      }
    }
    PartOfPiece& part = parts[found->second];
    append_numbers(part.values, matrix.values, words_);
    matrix.values = {};  // its memory is needed
    parts_of_sets.push_back(found->second);
  }
  for (index_t system = 0; system < systems.size(); ++system) {
    parts[parts_of_sets[place_of(system % count)]].systems.push_back(system);
  }
  std::vector<BatchGroup> groups;
  for (PartOfPiece& part : parts) {
    const auto own = static_cast<index_t>(part.systems.size());
    if (parts.size() == 1) {
      part.systems.clear();
    }
    groups.push_back({{part.pattern->row_offsets, part.pattern->column_indices},
                      std::exchange(part.values, {}),
                      own,
                      std::move(part.systems),
                      state_->numbers.at(part.pattern),
                      std::move(part.first_values)});
  }
  return groups;
}

std::vector<double> gathered(const BatchGroup& group, std::span<const double> all, index_t length) {
  std::vector<double> own;
  if (all.empty()) {
    return own;
  }
  own.reserve(group.systems.size() * place_of(length));
  for (const index_t system : group.systems) {
    const std::span<const double> set = all.subspan(place_of(system * length), place_of(length));
    own.insert(own.end(), set.begin(), set.end());
  }
  return own;
}

void scatter(const BatchGroup& group, std::span<const double> own, index_t length, std::span<double> all) {
  auto next = own.begin();
  for (const index_t system : group.systems) {
    std::copy_n(next, length, all.begin() + system * length);
    next += length;
  }
}

}  // namespace phpc::jobs
