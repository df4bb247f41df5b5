#include "batch/solver/sparse_lu_table.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "phpc/core/error.hpp"

namespace phpc::batch {
namespace {

constexpr unsigned table_seed = 20261122;

using Dense = std::vector<long double>;

std::size_t at(index_t place) {
  return static_cast<std::size_t>(place);
}
std::size_t at(std::int32_t row, std::int32_t column, std::int32_t rows) {
  return static_cast<std::size_t>(row) * static_cast<std::size_t>(rows) + static_cast<std::size_t>(column);
}

CsrPattern pattern_of(const Dense& matrix, std::int32_t rows) {
  CsrPattern pattern{{0}, {}};
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      if (matrix[at(row, column, rows)] != 0) {
        pattern.columns.push_back(column);
      }
    }
    pattern.row_offsets.push_back(static_cast<std::int32_t>(pattern.columns.size()));
  }
  return pattern;
}

/// Some entries beside a dominant diagonal, or beside one that is moved by `shift` columns.
Dense random_matrix(std::int32_t rows, double share, std::int32_t shift, std::mt19937_64& random) {
  std::uniform_real_distribution<double> number(-1, 1);
  Dense matrix(at(rows, 0, rows), 0);
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      if (number(random) * 0.5 + 0.5 < share) {
        matrix[at(row, column, rows)] = number(random);
      }
    }
    if (shift != 0) {
      matrix[at(row, row, rows)] = 0;
    }
    matrix[at(row, (row + shift) % rows, rows)] = rows;
  }
  return matrix;
}

/// Rows and columns come in some order.
void check_orders(const SparseLuTable& table, std::int32_t rows) {
  for (const std::int32_t* order : {table.pivot_rows, table.pivot_columns}) {
    std::vector<std::int32_t> sorted(order, order + rows);
    std::sort(sorted.begin(), sorted.end());
    for (std::int32_t row = 0; row < rows; ++row) {
      EXPECT_EQ(sorted[static_cast<std::size_t>(row)], row);
    }
  }
}

/// Returns the matrix's elements in the places of its factors.
Dense placed(const Dense& matrix, const CsrPattern& pattern, const SparseLuTable& table, std::int32_t rows) {
  Dense a(static_cast<std::size_t>(table.places), 0);
  for (std::int32_t row = 0, entry = 0; row < rows; ++row) {
    for (; entry < pattern.row_offsets[static_cast<std::size_t>(row) + 1]; ++entry) {
      long double& place = a[static_cast<std::size_t>(table.entry_places[entry])];
      EXPECT_EQ(place, 0) << "two entries in a place";
      place = matrix[at(row, pattern.columns[static_cast<std::size_t>(entry)], rows)];
    }
  }
  return a;
}

struct LuFactors {
  Dense lower;
  Dense upper;
};

/// Eliminates a placed matrix as the table says.
LuFactors eliminated(Dense a, const SparseLuTable& table, std::int32_t rows) {
  // A block's pivots one after the other: L D^-1 U with D's own factors.
  Dense lower(at(rows, 0, rows), 0);
  Dense upper(at(rows, 0, rows), 0);
  std::int32_t listed = 0;
  std::int32_t next = 0;
  for (std::int32_t number = 0; number < table.blocks; ++number) {
    const PivotBlock& block = table.block[number];
    EXPECT_EQ(block.first, next);
    next += block.pivots;
    listed += block.pivots * (block.pivots + block.below + block.right);
    const auto element = [&](std::int32_t pivot, std::int32_t column) -> long double& {
      return a[at(block.rows[pivot - block.first] + column)];  // the block's, then those right of it
    };
    for (std::int32_t k = 0; k < block.pivots; ++k) {
      const std::int32_t pivot = block.first + k;
      lower[at(pivot, pivot, rows)] = 1;
      for (std::int32_t j = k; j < block.pivots; ++j) {
        upper[at(pivot, block.first + j, rows)] = element(pivot, j);
      }
      for (std::int32_t j = 0; j < block.right; ++j) {
        EXPECT_GE(table.upper_columns[block.upper + j], next);
        upper[at(pivot, table.upper_columns[block.upper + j], rows)] = element(pivot, block.pivots + j);
      }
      for (std::int32_t i = k + 1; i < block.pivots; ++i) {
        const long double factor = element(block.first + i, k) / element(pivot, k);
        lower[at(block.first + i, pivot, rows)] = factor;
        for (std::int32_t j = k; j < block.pivots + block.right; ++j) {
          element(block.first + i, j) -= factor * element(pivot, j);
        }
      }
      for (std::int32_t i = 0; i < block.below; ++i) {
        const LowerRow& row = table.lower_rows[block.lower + i];
        EXPECT_GE(row.pivot, next);
        const auto below = [&](std::int32_t column) -> long double& { return a[at(row.place + column)]; };
        const long double factor = below(k) / element(pivot, k);
        lower[at(row.pivot, pivot, rows)] = factor;
        for (std::int32_t j = k; j < block.pivots; ++j) {
          below(j) -= factor * element(pivot, j);
        }
        const std::int32_t* const targets = table.targets + block.targets + i * (block.right + 1);
        for (std::int32_t j = 0; j < block.right; ++j) {
          a[static_cast<std::size_t>(targets[j])] -= factor * element(pivot, block.pivots + j);
        }
        EXPECT_EQ(targets[block.right], table.places + row.pivot);
      }
    }
  }
  EXPECT_EQ(next, rows);
  EXPECT_EQ(listed, table.places);
  return {std::move(lower), std::move(upper)};
}

/// A level's pivots need those of earlier levels alone.
void check_levels(const SparseLuTable& table, std::int32_t rows) {
  std::vector<bool> known(static_cast<std::size_t>(rows), false);
  for (std::int32_t level = 0; level < table.levels; ++level) {
    const std::vector<bool> before = known;
    for (std::int32_t number = table.level_offsets[level]; number < table.level_offsets[level + 1]; ++number) {
      const PivotBlock& block = table.level_block[number];
      for (std::int32_t j = 0; j < block.right; ++j) {
        EXPECT_TRUE(before[static_cast<std::size_t>(table.upper_columns[block.upper + j])]) << "level " << level;
      }
      for (std::int32_t k = 0; k < block.pivots; ++k) {
        EXPECT_FALSE(known[static_cast<std::size_t>(block.first + k)]);
        known[at(block.first + k)] = true;
      }
    }
  }
  EXPECT_EQ(std::count(known.begin(), known.end(), true), rows);
}

/// Places of the factors; checks them on the way: the table's elimination of the matrix leaves L and U with L D^-1 U = A, rows
/// and columns in the order of pivots.
std::int32_t check_table(const Dense& matrix, std::int32_t rows) {
  const CsrPattern pattern = pattern_of(matrix, rows);
  const std::vector<std::int32_t> numbers = sparse_lu_table(pattern);
  const SparseLuTable table(numbers.data(), rows, static_cast<std::int32_t>(pattern.columns.size()));
  check_orders(table, rows);
  check_levels(table, rows);
  const auto [lower, upper] = eliminated(placed(matrix, pattern, table, rows), table, rows);
  for (std::int32_t i = 0; i < rows; ++i) {
    for (std::int32_t j = 0; j < rows; ++j) {
      long double product = 0;
      long double magnitude = 0;
      for (std::int32_t k = 0; k <= std::min(i, j); ++k) {
        product += lower[at(i, k, rows)] * upper[at(k, j, rows)];
        magnitude += std::fabs(lower[at(i, k, rows)] * upper[at(k, j, rows)]);
      }
      EXPECT_NEAR(static_cast<double>(product),
                  static_cast<double>(matrix[at(table.pivot_rows[i], table.pivot_columns[j], rows)]),
                  rows * static_cast<double>(std::numeric_limits<long double>::epsilon() * magnitude) + 1e-15 * rows);
    }
  }
  return table.places;
}

TEST(SparseLuTable, EliminatesRandomPatterns) {
  std::mt19937_64 random(table_seed);
  for (const std::int32_t rows : {1, 2, 3, 17, 40, 80}) {
    for (const double share : {0.0, 0.03, 0.2, 0.9}) {
      for (const std::int32_t shift : {0, 1}) {
        SCOPED_TRACE(testing::Message() << rows << " rows, share " << share << ", shift " << shift << ", seed " << table_seed);
        check_table(random_matrix(rows, share, shift, random), rows);
      }
    }
  }
}

TEST(SparseLuTable, OrdersPivotsSoThatLittleFills) {
  constexpr std::int32_t rows = 60;
  // An arrow that points to the first row: in that order all would fill.
  Dense arrow(at(rows, 0, rows), 0);
  Dense band(arrow);
  for (std::int32_t row = 0; row < rows; ++row) {
    arrow[at(row, row, rows)] = band[at(row, row, rows)] = rows;
    arrow[at(0, row, rows)] = arrow[at(row, 0, rows)] = row == 0 ? rows : 1;
    if (row > 0) {
      band[at(row, row - 1, rows)] = band[at(row - 1, row, rows)] = -1;
    }
  }
  // Blocks of four fill some more: at most 4 x 4 on the diagonal and their sides.
  EXPECT_LE(check_table(arrow, rows), 8 * rows);
  EXPECT_LE(check_table(band, rows), 12 * rows);
}

TEST(SparseLuTable, StructurallySingularPatternsHaveATable) {
  // Two rows share their only column; one row and one column are empty.
  const CsrPattern pattern{{0, 1, 2, 2, 4}, {0, 0, 1, 3}};
  const std::vector<std::int32_t> numbers = sparse_lu_table(pattern);
  const SparseLuTable table(numbers.data(), 4, 4);
  EXPECT_GE(table.places, 6) << "4 pivots, two of them without an entry, and the two other entries";
}

TEST(SparseLuTable, RefusesWhatTakesTooManyProducts) {
  constexpr std::int32_t rows = 700;
  CsrPattern full{{0}, {}};
  for (std::int32_t row = 0; row < rows; ++row) {
    for (std::int32_t column = 0; column < rows; ++column) {
      full.columns.push_back(column);
    }
    full.row_offsets.push_back(static_cast<std::int32_t>(full.columns.size()));
  }
  EXPECT_THROW(sparse_lu_table(full), Error);
}

}  // namespace
}  // namespace phpc::batch
