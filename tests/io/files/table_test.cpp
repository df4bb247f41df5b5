#include "phpc/io/table.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <limits>
#include <nlohmann/json.hpp>

#include "phpc/core/error.hpp"
#include "support/temporary_directory.hpp"

namespace phpc::io {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

std::string written(TableFormat format, const std::vector<std::string>& columns, const std::vector<std::vector<Cell>>& rows,
                    const nlohmann::ordered_json& meta = {{"program", "test"}}) {
  const test::TemporaryDirectory dir;
  OutputFile out(dir / "table");
  TableWriter table(out, format, columns, meta);
  for (const auto& row : rows) {
    table.row(row);
  }
  table.finish();
  out.commit();
  return test::read_file(dir / "table");
}

TEST(Table, FormatsHaveNames) {
  EXPECT_EQ(parse_table_format("tsv"), TableFormat::tsv);
  EXPECT_EQ(parse_table_format("json"), TableFormat::json);
  EXPECT_THROW(parse_table_format("TSV"), Error);
  EXPECT_THROW(parse_table_format(""), Error);
}

TEST(Table, TsvIsAHeaderAndOneLineARow) {
  EXPECT_EQ(written(TableFormat::tsv, {"name", "count", "value"}, {{"a", index_t{-3}, 0.5}, {"", index_t{0}, 1e300}}),
            "name\tcount\tvalue\na\t-3\t0.5\n\t0\t1e+300\n");
  EXPECT_EQ(written(TableFormat::tsv, {"name"}, {}), "name\n");
}

TEST(Table, TsvTextCannotBreakTheTable) {
  EXPECT_EQ(written(TableFormat::tsv, {"name"}, {{"a\tb\nc\rd"}}), "name\na b c d\n");
}

TEST(Table, RealsReadBackAsTheSameDouble) {
  for (const double value : {0.1, 1.0 / 3, 1e-320, 123456789.123456789, -0.0, infinity}) {
    const std::string text = written(TableFormat::tsv, {"value"}, {{value}});
    EXPECT_EQ(std::strtod(text.c_str() + text.find('\n'), nullptr), value) << text;
  }
  EXPECT_EQ(written(TableFormat::tsv, {"value"}, {{std::numeric_limits<double>::quiet_NaN()}}), "value\nnan\n");
}

TEST(Table, JsonHoldsMetaAndRows) {
  const auto document = nlohmann::json::parse(
      written(TableFormat::json, {"name", "count", "value"}, {{"a\"b\\\n", index_t{1} << 62, 0.1}, {"", index_t{0}, infinity}}));
  EXPECT_EQ(document.at("meta").at("program"), "test");
  ASSERT_EQ(document.at("rows").size(), 2u);
  EXPECT_EQ(document.at("rows")[0].at("name"), "a\"b\\\n");
  EXPECT_EQ(document.at("rows")[0].at("count"), index_t{1} << 62);
  EXPECT_EQ(document.at("rows")[0].at("value"), 0.1);
  EXPECT_TRUE(document.at("rows")[1].at("value").is_null());
}

TEST(Table, JsonWithoutRowsIsWellFormed) {
  EXPECT_TRUE(nlohmann::json::parse(written(TableFormat::json, {"name"}, {})).at("rows").empty());
}

TEST(Table, JsonSurvivesBytesThatAreNoUtf8) {
  const auto document = nlohmann::json::parse(written(TableFormat::json, {"name"}, {{"\xff"}}, {{"path", "\xfe"}}));
  EXPECT_TRUE(document.at("rows")[0].at("name").is_string());
}

}  // namespace
}  // namespace phpc::io
