#include "phpc/cuda/atomics.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>
#include <type_traits>
#include <vector>

namespace {

/// Runs body(thread) on four threads at once.
template <class Body>
void on_threads(Body body) {
  std::vector<std::thread> threads;
  for (int thread = 0; thread < 4; ++thread) {
    threads.emplace_back(body, thread);
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
}

constexpr int kRounds = 20000;

template <class T>
class AtomicSums : public ::testing::Test {};
using Numbers = ::testing::Types<int, unsigned int, long, unsigned long, long long, unsigned long long, float, double>;
TYPED_TEST_SUITE(AtomicSums, Numbers);

TYPED_TEST(AtomicSums, LoseNothing) {
  TypeParam sum = 0;
  on_threads([&sum](int) {
    for (int round = 0; round < kRounds; ++round) {
      atomicAdd(&sum, 1);
      atomicAdd_block(&sum, TypeParam{1});
      atomicAdd_system(&sum, 1u);
    }
  });
  EXPECT_EQ(sum, TypeParam{3 * 4 * kRounds});
  EXPECT_EQ(atomicExch(&sum, TypeParam{5}), TypeParam{3 * 4 * kRounds});
  EXPECT_EQ(atomicAdd(&sum, -2), TypeParam{5});
  EXPECT_EQ(sum, TypeParam{3});
}

template <class T>
class AtomicIntegers : public ::testing::Test {};
using Integers = ::testing::Types<int, unsigned int, long, unsigned long, long long, unsigned long long>;
TYPED_TEST_SUITE(AtomicIntegers, Integers);

TYPED_TEST(AtomicIntegers, GiveTheOldValueAndStoreTheNew) {
  using T = TypeParam;
  const T minus_two = static_cast<T>(-2);
  T x = 12;
  EXPECT_EQ(atomicSub(&x, 2), T{12});
  EXPECT_EQ(atomicMin(&x, minus_two), T{10});
  EXPECT_EQ(x, std::min(T{10}, minus_two));
  x = 10;
  EXPECT_EQ(atomicMax(&x, minus_two), T{10});
  EXPECT_EQ(x, std::max(T{10}, minus_two));
  x = 12;
  EXPECT_EQ(atomicAnd(&x, 10), T{12});
  EXPECT_EQ(atomicOr(&x, 3), T{8});
  EXPECT_EQ(atomicXor(&x, 1), T{11});
  EXPECT_EQ(atomicCAS(&x, 9, 1), T{10});
  EXPECT_EQ(atomicCAS(&x, 10, 1), T{10});
  EXPECT_EQ(x, T{1});
  volatile T v = 1;
  EXPECT_EQ(atomicAdd(&v, 1), T{1});
  EXPECT_EQ(atomicCAS_system(&v, 2, 7), T{2});
  EXPECT_EQ(atomicExch_block(&v, 8), T{7});
  static_assert(std::is_same_v<decltype(atomicMax(&v, 1)), T>);
}

TYPED_TEST(AtomicIntegers, ExtremesOfManyThreadsAreFound) {
  TypeParam low = 1000000;
  TypeParam high = 0;
  on_threads([&](int thread) {
    for (int round = 0; round < kRounds; ++round) {
      atomicMin(&low, static_cast<TypeParam>(1 + (round * 7919 + thread) % kRounds));
      atomicMax_block(&high, static_cast<TypeParam>(1 + (round * 7919 + thread) % kRounds));
    }
  });
  EXPECT_EQ(low, TypeParam{1});
  EXPECT_EQ(high, TypeParam{kRounds});
}

TEST(Atomics, IncrementAndDecrementWrap) {
  unsigned int count = 0;
  on_threads([&count](int) {
    for (int round = 0; round < kRounds; ++round) {
      atomicInc(&count, 6u);
    }
  });
  EXPECT_EQ(count, 4u * kRounds % 7);
  count = 9;
  EXPECT_EQ(atomicInc(&count, 6), 9u);
  EXPECT_EQ(count, 0u);
  EXPECT_EQ(atomicDec(&count, 6), 0u);
  EXPECT_EQ(count, 6u);
  EXPECT_EQ(atomicDec_system(&count, 6), 6u);
  EXPECT_EQ(count, 5u);
  count = 9;
  EXPECT_EQ(atomicDec_block(&count, 6), 9u);
  EXPECT_EQ(count, 6u);
}

TEST(Atomics, VectorsAndHalfWords) {
  float4 sum{};
  on_threads([&sum](int) {
    for (int round = 0; round < kRounds; ++round) {
      atomicAdd(&sum, make_float4(1, 2, 3, 4));
    }
  });
  EXPECT_TRUE(sum.x == 4 * kRounds && sum.y == 8 * kRounds && sum.z == 12 * kRounds && sum.w == 16 * kRounds);
  unsigned short word = 3;
  EXPECT_EQ(atomicCAS(&word, 3, 65535), 3);
  EXPECT_EQ(word, 65535);
}

// Users add what CUDA lacks under the same name; theirs must be taken, and must see ours.
float atomicMax(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int old = *bits;
  while (__builtin_bit_cast(float, old) < value) {
    const int assumed = old;
    old = atomicCAS(bits, assumed, __builtin_bit_cast(int, value));
    if (old == assumed) {
      break;
    }
  }
  return __builtin_bit_cast(float, old);
}

TEST(Atomics, AUsersOverloadIsPreferred) {
  float x = 1;
  EXPECT_EQ(atomicMax(&x, 2.5f), 1.0f);
  EXPECT_EQ(x, 2.5f);
}

}  // namespace
