#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::casoff {

/// The sites of a chunk, each as one number (its key): the keys' order is that of sites (offset, strand, and variant, which goes
/// by guide). A site is then eight bytes to sort, not six fields to compare. Owns the keys.
class SiteKeys {
 public:
  /// What a key holds. `mismatches` is no part of the order: two sites never differ in them alone.
  struct Fields {
    index_t offset;  ///< of the site's leftmost base in the chunk, below GenomeChunk::max_bases
    int strand;      ///< 0 plus, 1 minus
    std::uint32_t variant;
    int mismatches;
  };

  /// `variants`: how many there are, at most max_variants.
  explicit SiteKeys(std::size_t variants);

  void add(const Fields& fields) {
    const std::uint64_t place = static_cast<std::uint64_t>(fields.offset) << 1 | static_cast<unsigned>(fields.strand);
    keys_.push_back((place << variant_bits_ | fields.variant) << mismatch_bits | static_cast<unsigned>(fields.mismatches));
  }
  [[nodiscard]] Fields operator[](std::size_t i) const {
    const std::uint64_t key = keys_[i];
    const std::uint64_t place = key >> (mismatch_bits + variant_bits_);
    return {static_cast<index_t>(place >> 1), static_cast<int>(place & 1),
            static_cast<std::uint32_t>(key >> mismatch_bits) & ((1U << variant_bits_) - 1),
            static_cast<int>(key & ((1U << mismatch_bits) - 1))};
  }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }
  void clear() { keys_.clear(); }

  /// Sorts the keys, ascending.
  void sort();
  /// How many of the sorted keys are of sites before an offset.
  [[nodiscard]] std::size_t count_before(index_t offset) const;
  /// Drops the first keys.
  void drop(std::size_t count) { keys_.erase(keys_.begin(), keys_.begin() + static_cast<std::ptrdiff_t>(count)); }

 private:
  static constexpr int mismatch_bits = 7;

  void sort_part(std::span<std::uint64_t> keys, std::span<std::uint64_t> moved);

  int variant_bits_;
  std::vector<std::uint64_t> keys_;
  std::vector<std::uint64_t> moved_;   ///< where sort() puts keys on the way
  std::vector<std::uint32_t> places_;  ///< by digit and its value: where the next key goes
};

}  // namespace phpc::casoff
