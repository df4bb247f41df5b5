#include "batch/precond/pattern_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "batch/direct/tridiagonal_systems.hpp"
#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

constexpr unsigned seed = 20261125;

/// Every entry of one triangle once, when its column is known, in a row's order of elimination, and a row once a step.
void check_schedule(const CsrPattern& pattern, const TriangleSchedule& schedule, bool lower) {
  std::vector<std::int32_t> row_of(pattern.columns.size());
  std::vector<std::int32_t> left(static_cast<std::size_t>(pattern.rows()), 0);  // entries of a row still to come
  std::int32_t all = 0;
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    for (auto entry = pattern.row_offsets[static_cast<std::size_t>(row)];
         entry < pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
      row_of[static_cast<std::size_t>(entry)] = row;
      const std::int32_t column = pattern.columns[static_cast<std::size_t>(entry)];
      if (lower ? column < row : column > row) {
        ++left[static_cast<std::size_t>(row)];
        ++all;
      }
    }
  }
  std::vector<std::int32_t> last(left.size(), lower ? -1 : static_cast<std::int32_t>(pattern.rows()));
  EXPECT_EQ(schedule.step_offsets[0], 0);
  for (std::int32_t step = 0; step < schedule.steps; ++step) {
    std::vector<std::int32_t> rows;
    const std::vector<std::int32_t> left_before = left;
    EXPECT_LT(schedule.step_offsets[step], schedule.step_offsets[step + 1]) << "a step without work";
    schedule.for_items(step, 0, 1, [&](std::int32_t row, const std::int32_t* first, const std::int32_t* end) {
      rows.push_back(row);
      EXPECT_LT(first, end);
      for (; first != end; ++first) {
        const std::int32_t column = pattern.columns[static_cast<std::size_t>(*first)];
        EXPECT_EQ(row_of[static_cast<std::size_t>(*first)], row);
        EXPECT_EQ(left_before[static_cast<std::size_t>(column)], 0) << "column " << column << " is not known in step " << step;
        EXPECT_TRUE(lower ? column > last[static_cast<std::size_t>(row)] : column < last[static_cast<std::size_t>(row)]);
        last[static_cast<std::size_t>(row)] = column;
        --left[static_cast<std::size_t>(row)];
        --all;
      }
    });
    std::sort(rows.begin(), rows.end());
    EXPECT_EQ(std::adjacent_find(rows.begin(), rows.end()), rows.end()) << "a row twice in step " << step;
  }
  EXPECT_EQ(all, 0);
  EXPECT_EQ(left, std::vector<std::int32_t>(left.size(), 0));
}

void check_triangles(const CsrPattern& pattern) {
  SCOPED_TRACE(testing::Message() << pattern.rows() << " rows, seed " << seed);
  const PatternTable table = ilu_table(pattern, {});
  const IluTable view(table.data(), static_cast<std::int32_t>(pattern.rows()));
  for (std::int32_t row = 0; row < pattern.rows(); ++row) {
    const auto begin = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row)];
    const auto end = pattern.columns.begin() + pattern.row_offsets[static_cast<std::size_t>(row) + 1];
    EXPECT_EQ(view.lower_end[row], std::lower_bound(begin, end, row) - pattern.columns.begin());
    EXPECT_EQ(view.upper_begin[row], std::upper_bound(begin, end, row) - pattern.columns.begin());
  }
  check_schedule(pattern, view.lower, true);
  check_schedule(pattern, view.upper, false);
  EXPECT_EQ(view.upper.entries + view.upper.item_offsets[view.upper.step_offsets[view.upper.steps]], table.data() + table.size());
}

TEST(PatternTables, Triangles) {
  for (const index_t rows : {1, 2, 5, 40, 200}) {
    check_triangles(test::random_systems(test::Structure::general, rows, 1, seed).pattern);
    check_triangles(test::tridiagonal(rows, 1).pattern);
  }
  check_triangles({{0, 0, 0}, {}});
  check_triangles({{0, 1, 2, 3}, {1, 2, 0}});
}

TEST(PatternTables, StepsAreAsFewAsTheChainsAllow) {
  const PatternTable chain = ilu_table(test::tridiagonal(30, 1).pattern, {});
  EXPECT_EQ(IluTable(chain.data(), 30).lower.steps, 29);
  // An arrow: every row but the last is known at once.
  CsrPattern arrow{{0}, {}};
  for (std::int32_t row = 0; row < 9; ++row) {
    arrow.columns.push_back(row);
    arrow.row_offsets.push_back(row + 1);
  }
  arrow.columns.resize(8);
  for (std::int32_t column = 0; column < 9; ++column) {
    arrow.columns.push_back(column);
  }
  arrow.row_offsets.back() = 17;
  const PatternTable table = ilu_table(arrow, {});
  EXPECT_EQ(IluTable(table.data(), 9).lower.steps, 1);
  EXPECT_EQ(IluTable(table.data(), 9).upper.steps, 0);
}

TEST(PatternTables, TheInverseHasAFullDiagonal) {
  const CsrPattern pattern{{0, 1, 3, 3}, {1, 0, 2}};
  const PatternTable table = isai_table(pattern, {});
  const IsaiTable view(table.data(), 3);
  EXPECT_EQ(view.order, 3);
  EXPECT_EQ(std::vector(view.row_offsets, view.row_offsets + 4), (std::vector<std::int32_t>{0, 2, 5, 6}));
  EXPECT_EQ(std::vector(view.columns, view.columns + 6), (std::vector<std::int32_t>{0, 1, 0, 1, 2, 2}));
  EXPECT_EQ(std::vector(view.units, view.units + 3), (std::vector<std::int32_t>{0, 1, 0}));
  EXPECT_EQ(view.columns + 6, table.data() + table.size());
  EXPECT_EQ(view.at_once, 3) << "small systems are solved together";
  CsrPattern full{{0}, {}};
  for (std::int32_t row = 0; row < 60; ++row) {
    for (std::int32_t column = 0; column < 60; ++column) {
      full.columns.push_back(column);
    }
    full.row_offsets.push_back(60 * (row + 1));
  }
  const PatternTable large = isai_table(full, {});
  EXPECT_EQ(IsaiTable(large.data(), 60).at_once, 1);
}

TEST(PatternTables, BlocksHaveFrom1To32Rows) {
  const CsrPattern pattern{{0, 1}, {0}};
  const PatternTable table = block_jacobi_table(pattern, {});
  EXPECT_EQ(block_size(table.data()), 8);
  for (const int size : {-1, 0, 33}) {
    EXPECT_THROW(block_jacobi_table(pattern, {.block_size = size}), Error);
  }
}

}  // namespace
}  // namespace phpc::batch
