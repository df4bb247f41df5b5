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
  static constexpr int lanes = pack_lanes<Real>;
  /// 0, 1, 2, ..., `lanes` rows of `lanes` numbers.
  static std::vector<Real> square() {
    std::vector<Real> numbers(lanes * lanes);
    std::iota(numbers.begin(), numbers.end(), Real{0});
    return numbers;
  }
};
using Reals = testing::Types<float, double>;
TYPED_TEST_SUITE(Packs, Reals);

TYPED_TEST(Packs, AreTransposed) {
  constexpr int lanes = TestFixture::lanes;
  const std::vector<TypeParam> square = TestFixture::square();
  Pack<TypeParam> rows[lanes];
  for (int i = 0; i < lanes; ++i) {
    rows[i] = load_pack(square.data() + i * lanes);
  }
  transpose<TypeParam>(rows);
  for (int i = 0; i < lanes; ++i) {
    for (int j = 0; j < lanes; ++j) {
      EXPECT_EQ(rows[i][j], square[static_cast<std::size_t>(j * lanes + i)]) << i << ", " << j;
    }
  }
}

TYPED_TEST(Packs, AreTransposedInTwoPartsInEitherOrder) {
  constexpr int lanes = TestFixture::lanes;
  const std::vector<TypeParam> square = TestFixture::square();
  Pack<TypeParam> rows[lanes];
  for (int i = 0; i < lanes; ++i) {
    rows[i] = load_pack(square.data() + i * lanes);
  }
  for (int first = 0; first < 4; ++first) {
    transpose_long_runs<TypeParam>(rows, first);
  }
  transpose_short_runs<TypeParam>(rows);
  for (int i = 0; i < lanes; ++i) {
    for (int j = 0; j < lanes; ++j) {
      EXPECT_EQ(rows[i][j], square[static_cast<std::size_t>(j * lanes + i)]) << i << ", " << j;
    }
  }
}

TYPED_TEST(Packs, AreStoredPastTheCachesToo) {
  constexpr int lanes = TestFixture::lanes;
  const std::vector<TypeParam> square = TestFixture::square();
  for (const Stores stores : {Stores::cached, Stores::streamed}) {
    alignas(pack_bytes) TypeParam stored[lanes] = {};
    store_pack(stored, load_pack(square.data() + 1), stores);
    finish_streamed_stores();
    for (int lane = 0; lane < lanes; ++lane) {
      EXPECT_EQ(stored[lane], lane + 1);
    }
  }
}

TYPED_TEST(Packs, HoldANumberInEveryLane) {
  const auto zeros = broadcast<TestFixture::lanes>(-TypeParam{0});
  for (int lane = 0; lane < TestFixture::lanes; ++lane) {
    EXPECT_TRUE(lane_of(zeros, lane) == 0 && std::signbit(lane_of(zeros, lane))) << lane;
  }
  EXPECT_EQ(lane_of(broadcast<1>(TypeParam{3}), 0), 3);
}

TYPED_TEST(Packs, ShuffleRunsInTurn) {
  constexpr int lanes = TestFixture::lanes;
  const std::vector<TypeParam> square = TestFixture::square();
  const Pack<TypeParam> a = load_pack(square.data());
  const Pack<TypeParam> b = load_pack(square.data() + lanes);
  const auto low = shuffled<TypeParam, RunsInTurn<lanes, lanes, 1, 0>>(a, b);
  const auto high = shuffled<TypeParam, RunsInTurn<lanes, lanes, 1, 1>>(a, b);
  for (int lane = 0; lane < lanes; ++lane) {
    EXPECT_EQ(low[lane], lane / 2 + lane % 2 * lanes) << lane;
    EXPECT_EQ(high[lane], lane / 2 + lane % 2 * lanes + lanes / 2) << lane;
  }
}

}  // namespace
}  // namespace phpc::exec
