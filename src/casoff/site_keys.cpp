#include "casoff/site_keys.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/variant.hpp"

namespace phpc::casoff {

namespace {

/// Counts of a digit's values stay in the first cache.
constexpr int digit_bits = 11;
/// Fewer keys than this are sorted sooner by comparing them.
constexpr std::size_t few_keys = 512;

}  // namespace

SiteKeys::SiteKeys(std::size_t variants)
    : variant_bits_(static_cast<int>(std::bit_width(std::max(variants, std::size_t{2}) - 1))) {
  static_assert(max_pattern_length < 1 << mismatch_bits);
  static_assert(std::bit_width(static_cast<std::uint64_t>(GenomeChunk::max_bases) - 1) + 1 + std::bit_width(max_variants - 1) +
                    mismatch_bits <=
                64);
}

/// By digits from the lowest (LSD radix sort), of those bits in which keys differ.
void SiteKeys::sort() {
  if (keys_.size() < few_keys) {
    std::sort(keys_.begin(), keys_.end());
    return;
  }
  std::uint64_t differing = 0;
  for (const std::uint64_t key : keys_) {
    differing |= key ^ keys_.front();
  }
  moved_.resize(keys_.size());
  for (int shift = mismatch_bits; differing >> shift != 0; shift += digit_bits) {
    constexpr std::uint64_t mask = (std::uint64_t{1} << digit_bits) - 1;
    std::array<std::size_t, mask + 1> next{};
    for (const std::uint64_t key : keys_) {
      ++next[key >> shift & mask];
    }
    std::size_t before = 0;
    for (std::size_t& count : next) {
      before += std::exchange(count, before);
    }
    for (const std::uint64_t key : keys_) {
      moved_[next[key >> shift & mask]++] = key;
    }
    keys_.swap(moved_);
  }
}

std::size_t SiteKeys::count_before(index_t offset) const {
  const int shift = mismatch_bits + variant_bits_ + 1;
  const auto end = std::partition_point(keys_.begin(), keys_.end(),
                                        [&](std::uint64_t key) { return static_cast<index_t>(key >> shift) < offset; });
  return static_cast<std::size_t>(end - keys_.begin());
}

}  // namespace phpc::casoff
