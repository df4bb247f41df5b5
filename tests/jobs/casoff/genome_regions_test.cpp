#include "jobs/casoff/genome_regions.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "phpc/core/error.hpp"

namespace phpc::jobs {
namespace {

using Intervals = std::vector<GenomeRegions::Interval>;
constexpr index_t to_the_end = std::numeric_limits<index_t>::max();

Intervals parts(const std::vector<std::string>& texts, std::string_view header) {
  return GenomeRegions(texts).parts_of(header).value();
}

TEST(GenomeRegions, AreOneBasedWithBothEndsIncluded) {
  EXPECT_EQ(parts({"chr1:1-10"}, "chr1"), (Intervals{{0, 10}}));
  EXPECT_EQ(parts({"chr1:1,000-2,000"}, "chr1"), (Intervals{{999, 2000}}));
  EXPECT_EQ(parts({"chr1:5-5"}, "chr1"), (Intervals{{4, 5}}));
  EXPECT_EQ(parts({"chr1:7"}, "chr1"), (Intervals{{6, to_the_end}}));
  EXPECT_EQ(parts({"chr1:7-"}, "chr1"), (Intervals{{6, to_the_end}}));
  EXPECT_EQ(parts({"chr1"}, "chr1"), (Intervals{{0, to_the_end}}));
  EXPECT_FALSE(GenomeRegions({}).parts_of("chr1").has_value());
}

TEST(GenomeRegions, NameAHeaderOrItsFirstWord) {
  EXPECT_EQ(parts({"chr1:1-2"}, "chr1 of a thing"), (Intervals{{0, 2}}));
  EXPECT_EQ(parts({"chr1 of a thing:1-2"}, "chr1 of a thing"), (Intervals{{0, 2}}));
  EXPECT_EQ(parts({"chr1:1-2"}, "chr10"), Intervals{});
  EXPECT_EQ(parts({"HLA:1:2-3"}, "HLA:1"), (Intervals{{1, 3}}));
  EXPECT_EQ(parts({"HLA:1-2"}, "HLA:1-2"), (Intervals{{0, to_the_end}})) << "a name before a part";
}

TEST(GenomeRegions, AreJoinedWhereTheyTouch) {
  EXPECT_EQ(parts({"a:5-6", "b:1-9", "a:1-2", "a:2-3", "a:20-30", "a:7-8", "a:22-23"}, "a"),
            (Intervals{{0, 3}, {4, 8}, {19, 30}}));
}

TEST(GenomeRegions, AreRefusedWhereTheyMakeNoSense) {
  EXPECT_THROW(GenomeRegions({""}), Error);
  EXPECT_THROW(GenomeRegions({"chr1:9-3"}), Error);
  GenomeRegions absent({"chr1", "chr2:0-5"});
  EXPECT_EQ(absent.parts_of("chr1").value().size(), 1U);
  EXPECT_THROW(absent.check_all_found(), Error) << "0 is no position, so that it must be a name";
  GenomeRegions beyond({"chr1:11-12"});
  beyond.parts_of("chr1 x");
  EXPECT_NO_THROW(beyond.check_all_found());
  EXPECT_NO_THROW(beyond.check_length("chr1 x", 11));
  EXPECT_THROW(beyond.check_length("chr1 x", 10), Error);
}

}  // namespace
}  // namespace phpc::jobs
