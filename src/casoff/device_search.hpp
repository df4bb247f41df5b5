#pragma once
#include <span>
#include <vector>

#include "casoff/comparer.hpp"
#include "casoff/finder.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::casoff {

/// Finder and comparer on one device, with what they keep there: masks of pattern and guides, and work space that is reused from
/// chunk to chunk.
class DeviceSearch {
 public:
  DeviceSearch(exec::Device device, const Pattern& pattern, std::span<const Guide> guides, Ambiguity ambiguity);

  /// Searches the starts of `tiles` (ascending, not empty) in `words` of a chunk. Returns how many hits there are; when at most
  /// `limit`, `hits` holds them in order of offset, strand and guide, else it is left empty.
  std::uint64_t run(std::span<const BaseWord> words, std::span<const Tile> tiles, std::uint64_t limit, std::vector<Hit>& hits);

 private:
  exec::Device device_;
  MatchRule finder_rule_;
  MatchRule comparer_rule_;
  int letters_;
  int guide_count_;
  exec::Buffer<PatternLetter> plus_;
  exec::Buffer<PatternLetter> minus_;
  exec::Buffer<GuideBlock> guides_;
  exec::Buffer<BaseWord> words_;
  exec::Buffer<Tile> tiles_;
  exec::Buffer<StartWord> starts_;
  exec::Buffer<Hit> hits_;
  exec::Buffer<std::uint64_t> hit_count_;
};

}  // namespace phpc::casoff
