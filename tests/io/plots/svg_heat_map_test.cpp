#include "phpc/io/svg_heat_map.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "phpc/core/error.hpp"
#include "support/xml.hpp"

namespace phpc::io {
namespace {

HeatMap sample() {
  return {.title = "Sites & more",
          .row_label = "guide",
          .column_label = "mismatches",
          .rows = {"first", "<second>"},
          .columns = {"0", "1", "2"},
          .counts = {1, 0, 123456, 0, 7, 12345}};
}

TEST(SvgHeatMap, HasACellForEachCountAndTheSums) {
  const std::string svg = to_svg(sample());
  EXPECT_TRUE(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
  EXPECT_EQ(test::occurrences(svg, "height=\"24.00\""), 6U);
  EXPECT_EQ(test::occurrences(svg, "Sites &amp; more"), 2U);
  for (const char* const text : {">first<", ">&lt;second&gt;<", ">mismatches<", ">guide<", ">1<", ">7<", ">12345<", ">12352<"}) {
    EXPECT_GE(test::occurrences(svg, text), 1U) << text;
  }
  EXPECT_EQ(test::occurrences(svg, ">123k<"), 3U) << "a cell, its row's sum and the end of the scale";
  EXPECT_EQ(test::occurrences(svg, ">0<"), 2U) << "the column's name and the scale: cells without a count are empty";
  EXPECT_EQ(test::occurrences(svg, ">1000<"), 1U) << "on the scale";
  EXPECT_EQ(svg, to_svg(sample())) << "the same bytes";
  EXPECT_EQ(test::xml_complaint(svg), "");
}

TEST(SvgHeatMap, DarkensWithTheCount) {
  const std::string svg = to_svg(sample());
  EXPECT_EQ(test::occurrences(svg, "#f7fbff\" stroke"), 2U) << "no count";
  EXPECT_EQ(test::occurrences(svg, "#08306b\" stroke"), 1U) << "the highest";
}

TEST(SvgHeatMap, LeavesOutTheLowestRows) {
  HeatMap map = sample();
  map.rows.emplace_back("third");
  map.counts.insert(map.counts.end(), {500, 0, 0});
  const std::string svg = to_svg(map, 2);
  EXPECT_EQ(test::occurrences(svg, ">third<"), 0U);
  EXPECT_EQ(test::occurrences(svg, "(the 2 rows of 3 with most)"), 1U);
  EXPECT_LT(svg.find(">first<"), svg.find(">&lt;second&gt;<"));
}

TEST(SvgHeatMap, ShortensLongNames) {
  HeatMap map = sample();
  map.rows[0] = std::string(1 << 20, 'x') + "end";
  map.rows[1].clear();
  for (int i = 0; i < 40; ++i) {
    map.rows[1] += "µ";
  }
  const std::string svg = to_svg(map);
  EXPECT_EQ(test::occurrences(svg, ">" + std::string(21, 'x') + "…" + std::string(7, 'x') + "end<"), 1U);
  EXPECT_EQ(test::occurrences(svg, "µ"), 31U);
  EXPECT_EQ(test::occurrences(svg, "?"), 0U) << "a letter was cut";
  map.title = map.row_label = map.column_label = map.columns[0] = map.rows[0];
  const std::string long_names = to_svg(map);
  EXPECT_LT(long_names.size(), 20000U);
  EXPECT_EQ(test::xml_complaint(long_names), "");
}

TEST(SvgHeatMap, AnyBytesAreWellFormed) {
  HeatMap map = sample();
  map.rows[0] = "\xff\xed\xa0\x80\x01<";
  map.columns[0] = map.row_label = map.title = map.rows[0];
  EXPECT_EQ(test::xml_complaint(to_svg(map)), "");
}

TEST(SvgHeatMap, TakesWhatIsEmptyAndRefusesWhatDoesNotFit) {
  EXPECT_NE(to_svg(HeatMap{}).find("</svg>"), std::string::npos);
  HeatMap map = sample();
  map.counts.assign(6, 0);
  EXPECT_EQ(test::occurrences(to_svg(map), "nan"), 0U);
  const double beyond_all = std::numeric_limits<double>::infinity();
  map.counts = {beyond_all, -beyond_all, std::numeric_limits<double>::quiet_NaN(), -1, 1e300, 2};
  const std::string svg = to_svg(map);
  EXPECT_EQ(test::occurrences(svg, "nan") + test::occurrences(svg, "inf"), 0U) << svg;
  EXPECT_EQ(test::xml_complaint(svg), "");
  map.counts.pop_back();
  EXPECT_THROW(to_svg(map), Error);
}

}  // namespace
}  // namespace phpc::io
