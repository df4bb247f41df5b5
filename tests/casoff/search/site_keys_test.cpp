#include "casoff/search/site_keys.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "phpc/casoff/genome.hpp"
#include "phpc/casoff/variant.hpp"

namespace phpc::casoff {
namespace {

using Tuple = std::tuple<index_t, int, std::uint32_t, int>;

Tuple tuple_of(const SiteKeys::Fields& fields) {
  return {fields.offset, fields.strand, fields.variant, fields.mismatches};
}

/// Keys of random sites come out in order, and hold what was put in.
void expect_sorted(std::mt19937_64& random, std::size_t count, std::size_t variants, index_t offsets) {
  SiteKeys keys(variants);
  std::vector<Tuple> expected;
  for (std::size_t i = 0; i < count; ++i) {
    const SiteKeys::Fields fields{static_cast<index_t>(random() % static_cast<std::uint64_t>(offsets)),
                                  static_cast<int>(random() % 2), static_cast<std::uint32_t>(random() % variants), 0};
    // Mismatches follow from the rest, as they do for sites.
    const int mismatches = static_cast<int>((fields.offset + fields.variant) % 65);
    keys.add({fields.offset, fields.strand, fields.variant, mismatches});
    expected.emplace_back(fields.offset, fields.strand, fields.variant, mismatches);
  }
  std::sort(expected.begin(), expected.end());
  keys.sort();
  ASSERT_EQ(keys.size(), count);
  for (std::size_t i = 0; i < count; ++i) {
    ASSERT_EQ(tuple_of(keys[i]), expected[i]) << i << " of " << count << ", " << variants << " variants, " << offsets;
  }
  const index_t middle = offsets / 2;
  const std::size_t before = keys.count_before(middle);
  EXPECT_EQ(before, static_cast<std::size_t>(std::count_if(expected.begin(), expected.end(),
                                                           [&](const Tuple& site) { return std::get<0>(site) < middle; })));
  keys.drop(before);
  ASSERT_EQ(keys.size(), count - before);
  if (keys.size() > 0) {
    EXPECT_EQ(tuple_of(keys[0]), expected[before]);
  }
}

TEST(SiteKeys, SortAsSitesDo) {
  constexpr unsigned seed = 7;
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  std::mt19937_64 random(seed);
  for (const std::size_t count : {0, 1, 2, 100, 511, 512, 5000, 100000}) {
    for (const std::size_t variants : {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{1000}, max_variants}) {
      for (const index_t offsets : {index_t{1}, index_t{3000}, GenomeChunk::max_bases}) {
        expect_sorted(random, count, variants, offsets);
      }
    }
  }
}

}  // namespace
}  // namespace phpc::casoff
