#include "phpc/io/features.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace phpc::io {

void FeatureIndex::add(std::string_view sequence, index_t begin, index_t end, std::string_view name) {
  const auto [entry, is_new] = numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size()));
  if (is_new) {
    names_.emplace_back(entry->first);  // keys of an unordered_map stay where they are
  }
  auto found = sequences_.find(sequence);
  if (found == sequences_.end()) {
    found = sequences_.emplace(sequence, Intervals{}).first;
  }
  found->second.push_back({begin, end, end, entry->second});
  ++size_;
}

void FeatureIndex::build() {
  for (auto& [sequence, intervals] : sequences_) {
    // Names are numbered in the order of adding, but a name may come back: the sort must keep the order of equal begins.
    std::vector<std::uint32_t> order(intervals.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      order[i] = i;
    }
    std::sort(order.begin(), order.end(), [&all = intervals](std::uint32_t a, std::uint32_t b) {
      return std::tie(all[a].begin, a) < std::tie(all[b].begin, b);
    });
    Intervals sorted;
    sorted.reserve(intervals.size());
    for (const std::uint32_t i : order) {
      sorted.push_back(intervals[i]);
    }
    intervals = std::move(sorted);
    set_highest_end(intervals);
  }
}

index_t FeatureIndex::set_highest_end(std::span<Interval> range) {
  if (range.empty()) {
    return 0;
  }
  const std::size_t middle = range.size() / 2;
  Interval& root = range[middle];
  root.highest_end = std::max({root.end, set_highest_end(range.first(middle)), set_highest_end(range.subspan(middle + 1))});
  return root.highest_end;
}

void FeatureIndex::collect(std::span<const Interval> range, index_t begin, index_t end, std::vector<std::uint32_t>& found) {
  if (range.empty() || range[range.size() / 2].highest_end <= begin) {
    return;
  }
  const std::size_t middle = range.size() / 2;
  const Interval& root = range[middle];
  collect(range.first(middle), begin, end, found);
  if (root.begin < end) {
    if (root.end > begin && root.end > root.begin) {
      found.push_back(root.name);
    }
    collect(range.subspan(middle + 1), begin, end, found);
  }
}

void FeatureIndex::overlapping(std::string_view sequence, index_t begin, index_t end,
                               std::vector<std::string_view>& names) const {
  names.clear();
  const auto entry = sequences_.find(sequence);
  if (entry == sequences_.end() || begin >= end) {
    return;
  }
  std::vector<std::uint32_t> found;
  collect(entry->second, begin, end, found);
  // Of those found twice only the first stays; by sorting places, since thousands of features may lie in one place.
  std::vector<std::uint32_t> places(found.size());
  std::iota(places.begin(), places.end(), 0U);
  std::sort(places.begin(), places.end(),
            [&](std::uint32_t a, std::uint32_t b) { return std::tie(found[a], a) < std::tie(found[b], b); });
  places.erase(std::unique(places.begin(), places.end(), [&](std::uint32_t a, std::uint32_t b) { return found[a] == found[b]; }),
               places.end());
  std::sort(places.begin(), places.end());
  for (const std::uint32_t place : places) {
    names.push_back(names_[found[place]]);
  }
}

}  // namespace phpc::io
