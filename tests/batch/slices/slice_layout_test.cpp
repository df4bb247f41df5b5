// Where slice layouts put the entries of a pattern, against the pattern itself.
#include "batch/slices/slice_layout.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "batch/direct/tridiagonal_systems.hpp"
#include "batch/slices/slice_plan.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

class SliceLayoutTest : public testing::Test {
 protected:
  static constexpr unsigned seed = 20261124;
  static constexpr int lanes = 32;

  /// Every entry once, in a register slot, in scratch or in a tail, with its operand's place, and zeros where none is.
  static void check(const CsrPattern& pattern, const SliceShape& shape, std::size_t value_bytes, std::int32_t room) {
    SCOPED_TRACE(testing::Message() << pattern.rows() << " rows, " << pattern.entries() << " entries, " << shape.rows_of_a_thread
                                    << " rows a thread, room for " << room << ", seed " << seed);
    const SliceLayout layout = slice_layout(pattern, shape, lanes, value_bytes, room);
    const auto count = static_cast<std::size_t>(shape.positions());
    ASSERT_EQ(layout.positions.size(), count);
    ASSERT_EQ(layout.slices.size(), count / lanes + 1);
    EXPECT_LE(layout.scratch_values(), room);
    std::vector<int> position_of(static_cast<std::size_t>(pattern.rows()), -1);
    for (std::size_t p = 0; p < count; ++p) {
      if (layout.positions[p].row >= 0) {
        int& place = position_of[static_cast<std::size_t>(layout.positions[p].row)];
        EXPECT_EQ(place, -1);
        place = static_cast<int>(p);
      }
    }
    EXPECT_EQ(std::count(position_of.begin(), position_of.end(), -1), 0);
    std::set<int> places(layout.pads.begin(), layout.pads.end());
    EXPECT_EQ(places.size(), layout.pads.size());
    std::set<int> in_registers;
    for (std::size_t row = 0; row < position_of.size(); ++row) {
      const auto p = static_cast<std::size_t>(position_of[row]);
      const SlicePosition& position = layout.positions[p];
      EXPECT_EQ(position.begin, pattern.row_offsets[row]);
      EXPECT_EQ(position.end, pattern.row_offsets[row + 1]);
      for (std::int32_t entry = position.begin; entry < position.end; ++entry) {
        const int column = position_of[static_cast<std::size_t>(pattern.columns[static_cast<std::size_t>(entry)])];
        EXPECT_EQ(layout.columns[static_cast<std::size_t>(entry)], column);
        if (pattern.columns[static_cast<std::size_t>(entry)] == static_cast<std::int32_t>(row)) {
          EXPECT_EQ(position.diagonal, entry);
        }
        const int place = layout.places[static_cast<std::size_t>(entry)];
        if (entry >= position.tail) {
          EXPECT_EQ(place, no_place);
          EXPECT_GE(layout.tail_shift, 0);
        } else if (place < layout.register_values()) {
          const auto slot = static_cast<std::size_t>(place) / (count + 1);
          EXPECT_LT(slot, static_cast<std::size_t>(std::min(layout.staged_slots, position.others() + 1)));
          EXPECT_EQ(static_cast<std::size_t>(place) % (count + 1), p);
          EXPECT_TRUE(in_registers.insert(place).second);
          if (entry == position.diagonal) {
            EXPECT_EQ(slot, 0U);
          } else {
            ASSERT_GT(slot, 0U);
            const std::uint32_t word = layout.register_columns[(slot - 1) / 2 * count + p];
            EXPECT_EQ(half(word, slot - 1), column * static_cast<int>(value_bytes));
          }
        } else {
          const int value = place - layout.register_values();
          EXPECT_TRUE(places.insert(value).second) << "two entries in a place";
          const int slot = value / (lanes + 1);
          EXPECT_GE(slot, layout.slices[p / lanes]);
          EXPECT_LT(slot, layout.slices[p / lanes + 1]);
          EXPECT_EQ(value % (lanes + 1), static_cast<int>(p % lanes));
          const std::size_t word = static_cast<std::size_t>(slot) / 2 * lanes + p % lanes;
          EXPECT_EQ(half(layout.scratch_columns[word], static_cast<std::size_t>(slot)), column * static_cast<int>(value_bytes));
        }
      }
    }
    EXPECT_EQ(static_cast<int>(places.size()), layout.slices.back() * lanes) << "values in scratch that nobody writes";
  }
  static int half(std::uint32_t word, std::size_t slot) { return static_cast<int>(word >> (16 * (slot % 2)) & 0xffffU); }
};

TEST_F(SliceLayoutTest, EveryEntryHasItsPlace) {
  for (const index_t rows : {1, 31, 32, 33, 100, 257}) {
    const CsrPattern pattern = test::random_systems(test::Structure::general, rows, 1, seed, 1, {3, 30}).pattern;
    for (const auto& [in_thread, slots] : {std::pair{1, 16}, {2, 6}, {4, 4}, {8, 3}, {1, 0}}) {
      const auto unit = in_thread * lanes;
      const SliceShape shape{in_thread, slots, static_cast<int>((rows + unit - 1) / unit) * lanes};
      for (const std::int32_t room : {0, 1000, 100000}) {
        check(pattern, shape, sizeof(double), room);
        check(pattern, shape, sizeof(float), room);
      }
    }
  }
  check(test::tridiagonal(130, 1).pattern, {4, 4, 64}, sizeof(double), 0);
}

TEST_F(SliceLayoutTest, RequestsSpreadOverTheBanks) {
  const CsrPattern pattern = test::random_systems(test::Structure::general, 256, 1, seed, 1, {30, 30}).pattern;
  const SliceLayout layout = slice_layout(pattern, {1, 16, 256}, lanes, sizeof(double), 100000);
  // Half a sub-group's rows a request: with one turn each it would be as many as the longest row has entries.
  EXPECT_LT(layout.cost, 1.3 * 29 * 256 / 16);
  const SliceLayout stencil = slice_layout(test::tridiagonal(256, 1).pattern, {4, 4, 64}, lanes, sizeof(double), 0);
  EXPECT_EQ(stencil.cost, 2 * 256 / 16);
  EXPECT_EQ(stencil.scratch_values(), 0);
  EXPECT_EQ(stencil.staged_slots, 3);
}

TEST_F(SliceLayoutTest, EveryPatternOfUpTo2048RowsHasAKernel) {
  constexpr std::size_t scratch = std::size_t{227} << 10;
  const auto chosen = [](const CsrPattern& pattern, const Options& options = {}) {
    return slice_choice<double>(exec::DeviceKind::nvidia, scratch, pattern, options);
  };
  for (const index_t rows : {1, 4, 33, 257, 1000, 1025, 2048}) {
    for (const test::EntriesOfARow entries : {test::EntriesOfARow{1, 1}, {3, 30}, {60, 60}}) {
      const CsrPattern pattern = test::random_systems(test::Structure::general, rows, 1, seed, 1, entries).pattern;
      for (const Precision precision : {Precision::f64, Precision::f32}) {
        const auto choice = chosen(pattern, {.inner_precision = precision});
        ASSERT_TRUE(choice) << rows << " rows, seed " << seed;
        EXPECT_GE(choice->layout.shape.positions(), rows);
        EXPECT_LE(choice->scratch_bytes, scratch);
        EXPECT_EQ(choice->layout.shape.tails, choice->layout.tail_shift >= 0) << rows << " rows, seed " << seed;
        EXPECT_LE(choice->layout.shape.threads * choice->registers, 65536);
      }
    }
  }
  EXPECT_FALSE(chosen(test::tridiagonal(2049, 1).pattern));
  EXPECT_FALSE(chosen(test::tridiagonal(100, 1).pattern, {.solver = "gmres"}));
  EXPECT_FALSE(chosen(test::tridiagonal(100, 1).pattern, {.preconditioner = "ilu"}));
  EXPECT_FALSE(chosen(test::tridiagonal(100, 1).pattern, {.team_size = 64}));
  EXPECT_FALSE(slice_choice<double>(exec::DeviceKind::x86_64, scratch, test::tridiagonal(100, 1).pattern, {}));
  EXPECT_EQ(chosen(test::tridiagonal(512, 1).pattern)->layout.shape.rows_of_a_thread, 8) << "short rows, many to a thread";
}

}  // namespace
}  // namespace phpc::batch
