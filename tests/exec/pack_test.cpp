#include "phpc/exec/pack.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

#include "phpc/exec/streamed_stores.hpp"

namespace phpc::exec {
namespace {

static_assert(sizeof(Pack<float>) == pack_bytes && sizeof(Pack<double>) == pack_bytes);
static_assert(sizeof(Pack<Complex<float>>) == 2 * pack_bytes && pack_lanes<Complex<float>> == pack_lanes<float>);
static_assert(std::is_same_v<Vector<std::uint64_t, 1>, std::uint64_t>);

template <class Real>
class Packs : public testing::Test {
 protected:
  static constexpr int pack_size = pack_lanes<Real>;
  /// 0, 1, 2, ..., `pack_size` rows of `pack_size` numbers.
  static std::vector<Real> square() {
    std::vector<Real> numbers(pack_size * pack_size);
    std::iota(numbers.begin(), numbers.end(), Real{0});
    return numbers;
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Packs, Reals);

TYPED_TEST(Packs, AreTransposed) {
  constexpr int lane_count = TestFixture::pack_size;
  const std::vector<TypeParam> square = TestFixture::square();
  Pack<TypeParam> rows[lane_count];
  for (int i = 0; i < lane_count; ++i) {
    rows[i] = load_pack(square.data() + i * lane_count);
  }
  transpose<TypeParam>(rows);
  for (int i = 0; i < lane_count; ++i) {
    for (int j = 0; j < lane_count; ++j) {
      EXPECT_EQ(rows[i][j], square[static_cast<std::size_t>(j * lane_count + i)]) << i << ", " << j;
    }
  }
}

TYPED_TEST(Packs, AreTransposedInTwoPartsInEitherOrder) {
  constexpr int lane_count = TestFixture::pack_size;
  const std::vector<TypeParam> square = TestFixture::square();
  Pack<TypeParam> rows[lane_count];
  for (int i = 0; i < lane_count; ++i) {
    rows[i] = load_pack(square.data() + i * lane_count);
  }
  for (int first = 0; first < 4; ++first) {
    transpose_long_runs<TypeParam>(rows, first);
  }
  transpose_short_runs<TypeParam>(rows);
  for (int i = 0; i < lane_count; ++i) {
    for (int j = 0; j < lane_count; ++j) {
      EXPECT_EQ(rows[i][j], square[static_cast<std::size_t>(j * lane_count + i)]) << i << ", " << j;
    }
  }
}

TYPED_TEST(Packs, AreStoredPastTheCachesToo) {
  constexpr int lane_count = TestFixture::pack_size;
  const std::vector<TypeParam> square = TestFixture::square();
  for (const Stores stores : {Stores::cached, Stores::streamed}) {
    alignas(pack_bytes) TypeParam stored[lane_count] = {};
    store_pack(stored, load_pack(square.data() + 1), stores);
    finish_streamed_stores();
    for (int lane = 0; lane < lane_count; ++lane) {
      EXPECT_EQ(stored[lane], lane + 1);
    }
  }
}

TYPED_TEST(Packs, HoldANumberInEveryLane) {
  const auto zeros = broadcast<TestFixture::pack_size>(-TypeParam{0});
  for (int lane = 0; lane < TestFixture::pack_size; ++lane) {
    EXPECT_TRUE(lane_of(zeros, lane) == 0 && std::signbit(lane_of(zeros, lane))) << lane;
  }
  EXPECT_EQ(lane_of(broadcast<1>(TypeParam{3}), 0), 3);
}

TYPED_TEST(Packs, ShuffleRunsInTurn) {
  constexpr int lane_count = TestFixture::pack_size;
  const std::vector<TypeParam> square = TestFixture::square();
  const Pack<TypeParam> a = load_pack(square.data());
  const Pack<TypeParam> b = load_pack(square.data() + lane_count);
  const auto low = shuffled<TypeParam, RunsInTurn<lane_count, lane_count, 1, 0>>(a, b);
  const auto high = shuffled<TypeParam, RunsInTurn<lane_count, lane_count, 1, 1>>(a, b);
  for (int lane = 0; lane < lane_count; ++lane) {
    EXPECT_EQ(low[lane], lane / 2 + lane % 2 * lane_count) << lane;
    EXPECT_EQ(high[lane], lane / 2 + lane % 2 * lane_count + lane_count / 2) << lane;
  }
}

}  // namespace
}  // namespace phpc::exec
