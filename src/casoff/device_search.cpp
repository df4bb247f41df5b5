#include "casoff/device_search.hpp"

#include <algorithm>
#include <tuple>

#include "casoff/query_masks.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::casoff {

namespace {

constexpr index_t first_hit_capacity = index_t{1} << 16;
using Finder = FinderKernel<2 * tile_words>;
using Comparer = ComparerKernel<128>;

template <class T>
void ensure_size(exec::Buffer<T>& buffer, index_t size) {
  if (buffer.size() < size) {
    const exec::Device device = buffer.device();
    buffer = exec::Buffer<T>(device, 0);  // the old one goes first, for the sake of memory
    buffer = exec::Buffer<T>(device, size);
  }
}

}  // namespace

DeviceSearch::DeviceSearch(exec::Device device, const Pattern& pattern, std::span<const Guide> guides, Ambiguity ambiguity)
    : device_(device),
      finder_rule_(match_rule(ambiguity, ~std::uint64_t{0})),
      comparer_rule_(match_rule(ambiguity, window_bits(pattern.size()))),
      letters_(static_cast<int>(pattern_letters(pattern, Strand::plus, ambiguity).size())),
      guide_count_(static_cast<int>(guides.size())),
      plus_(device, pattern_letters(pattern, Strand::plus, ambiguity)),
      minus_(device, pattern_letters(pattern, Strand::minus, ambiguity)),
      guides_(device, guide_blocks(guides, ambiguity)),
      words_(device, 0),
      tiles_(device, 0),
      starts_(device, 0),
      hits_(device, 0),
      hit_count_(device, 1) {}

std::uint64_t DeviceSearch::run(std::span<const BaseWord> words, std::span<const Tile> tiles, std::uint64_t limit,
                                std::vector<Hit>& hits) {
  hits.clear();
  const index_t word_base = tiles.front().first_word;
  const index_t words_end = tiles.back().first_word + ceil_div(tiles.back().starts, bases_per_word);
  // A window reads the word after the one it begins in.
  const auto used = words.subspan(static_cast<std::size_t>(word_base), static_cast<std::size_t>(words_end - word_base + 1));
  const BaseWord* device_words = used.data();
  if (!device_.is_host()) {
    ensure_size(words_, static_cast<index_t>(used.size()));
    words_.copy_from(used);
    device_words = words_.data();
  }
  ensure_size(tiles_, static_cast<index_t>(tiles.size()));
  tiles_.copy_from(tiles);
  ensure_size(starts_, static_cast<index_t>(used.size()));
  ensure_size(hits_, first_hit_capacity);

  const exec::LaunchShape shape{.groups = static_cast<index_t>(tiles.size())};
  exec::launch(
      device_, shape,
      Finder{device_words, tiles_.data(), plus_.data(), minus_.data(), starts_.data(), word_base, finder_rule_, letters_});
  std::uint64_t found = 0;
  for (;;) {
    found = 0;
    hit_count_.copy_from(std::span(&found, 1));
    exec::launch(device_, shape,
                 Comparer{device_words, tiles_.data(), starts_.data(), guides_.data(), hits_.data(), hit_count_.data(),
                          static_cast<std::uint64_t>(hits_.size()), word_base, comparer_rule_, guide_count_});
    hit_count_.copy_to(std::span(&found, 1));
    if (found > limit) {
      return found;
    }
    if (found <= static_cast<std::uint64_t>(hits_.size())) {
      break;
    }
    ensure_size(hits_, static_cast<index_t>(found));
  }
  hits.resize(found);
  hits_.copy_to(hits);
  std::sort(hits.begin(), hits.end(), [](const Hit& a, const Hit& b) {
    return std::tie(a.offset, a.strand, a.guide) < std::tie(b.offset, b.strand, b.guide);
  });
  return found;
}

}  // namespace phpc::casoff
