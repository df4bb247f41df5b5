#include "casoff/search/site_keys.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/pattern.hpp"
#include "phpc/casoff/variant.hpp"

namespace phpc::casoff {

namespace {

constexpr int most_digit_bits = 10;
/// Fewer keys than this are sorted sooner by comparing them.
constexpr std::size_t few_keys = 512;
/// How many keys are sorted at once: they and a copy lie in the second cache.
constexpr std::size_t cached_keys = std::size_t{1} << 15;

/// Turns counts of a digit's values into the place where the keys of each value begin.
void begin_places(std::span<std::uint32_t> counts) {
  std::uint32_t before = 0;
  for (std::uint32_t& count : counts) {
    before += std::exchange(count, before);
  }
}

}  // namespace

SiteKeys::SiteKeys(std::size_t variants)
    : variant_bits_(static_cast<int>(std::bit_width(std::max(variants, std::size_t{2}) - 1))) {
  static_assert(max_pattern_length < 1 << mismatch_bits);
  static_assert(std::bit_width(static_cast<std::uint64_t>(GenomeChunk::max_bases) - 1) + 1 + std::bit_width(max_variants - 1) +
                    mismatch_bits <=
                64);
}

/// Sorts by the leading bits into parts that fit into the cache, and then each part.
void SiteKeys::sort() {
  moved_.resize(keys_.size());
  if (keys_.size() <= cached_keys) {
    sort_part(keys_, moved_);
    return;
  }
  const auto [lowest, highest] = std::minmax_element(keys_.begin(), keys_.end());
  const std::uint64_t base = *lowest;
  const auto bits = static_cast<int>(std::bit_width(*highest - base));
  const int shift = std::max(0, bits - static_cast<int>(std::bit_width(keys_.size() / cached_keys)));
  std::vector<std::uint32_t> ends(((*highest - base) >> shift) + 1);
  for (const std::uint64_t key : keys_) {
    ++ends[(key - base) >> shift];
  }
  begin_places(ends);
  for (const std::uint64_t key : keys_) {
    moved_[ends[(key - base) >> shift]++] = key;
  }
  keys_.swap(moved_);
  std::size_t begin = 0;
  for (const std::size_t end : ends) {
    sort_part(std::span(keys_).subspan(begin, end - begin), std::span(moved_).subspan(begin, end - begin));
    begin = end;
  }
}

/// Sorts by digits from the lowest (LSD radix sort), of those bits in which keys differ.
void SiteKeys::sort_part(std::span<std::uint64_t> keys, std::span<std::uint64_t> moved) {
  if (keys.size() < few_keys) {
    std::sort(keys.begin(), keys.end());
    return;
  }
  std::uint64_t differing = 0;
  for (const std::uint64_t key : keys) {
    differing |= key ^ keys.front();
  }
  const int bits = std::max(1, static_cast<int>(std::bit_width(differing)) - mismatch_bits);
  const int passes = (bits + most_digit_bits - 1) / most_digit_bits;
  const int digit_bits = (bits + passes - 1) / passes;
  const std::size_t values = std::size_t{1} << digit_bits;
  places_.assign(static_cast<std::size_t>(passes) * values, 0);
  const std::span<std::uint32_t> places(places_);
  for (const std::uint64_t key : keys) {
    std::uint64_t digits = key >> mismatch_bits;
    for (std::size_t first = 0; first < places.size(); first += values) {
      ++places[first + (digits & (values - 1))];
      digits >>= digit_bits;
    }
  }
  std::span<std::uint64_t> from = keys;
  std::span<std::uint64_t> to = moved;
  for (int pass = 0; pass < passes; ++pass) {
    const std::span<std::uint32_t> next = places.subspan(static_cast<std::size_t>(pass) * values, values);
    begin_places(next);
    for (const std::uint64_t key : from) {
      to[next[key >> (mismatch_bits + pass * digit_bits) & (values - 1)]++] = key;
    }
    std::swap(from, to);
  }
  if (from.data() != keys.data()) {
    std::copy(from.begin(), from.end(), keys.begin());
  }
}

std::size_t SiteKeys::count_before(index_t offset) const {
  const int shift = mismatch_bits + variant_bits_ + 1;
  const auto end = std::partition_point(keys_.begin(), keys_.end(),
                                        [&](std::uint64_t key) { return static_cast<index_t>(key >> shift) < offset; });
  return static_cast<std::size_t>(end - keys_.begin());
}

}  // namespace phpc::casoff
