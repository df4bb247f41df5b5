#include "phpc/cuda/vector_types.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

namespace {

template <class T, std::size_t Size, std::size_t Alignment>
constexpr bool laid_out = sizeof(T) == Size && alignof(T) == Alignment && std::is_trivially_copyable_v<T> &&
                          std::is_aggregate_v<T> && std::is_standard_layout_v<T>;

static_assert(laid_out<char1, 1, 1> && laid_out<char2, 2, 2> && laid_out<char3, 3, 1> && laid_out<char4, 4, 4>);
static_assert(laid_out<uchar1, 1, 1> && laid_out<uchar2, 2, 2> && laid_out<uchar3, 3, 1> && laid_out<uchar4, 4, 4>);
static_assert(laid_out<short1, 2, 2> && laid_out<short2, 4, 4> && laid_out<short3, 6, 2> && laid_out<short4, 8, 8>);
static_assert(laid_out<ushort1, 2, 2> && laid_out<ushort2, 4, 4> && laid_out<ushort3, 6, 2> && laid_out<ushort4, 8, 8>);
static_assert(laid_out<int1, 4, 4> && laid_out<int2, 8, 8> && laid_out<int3, 12, 4> && laid_out<int4, 16, 16>);
static_assert(laid_out<uint1, 4, 4> && laid_out<uint2, 8, 8> && laid_out<uint3, 12, 4> && laid_out<uint4, 16, 16>);
static_assert(laid_out<long1, 8, 8> && laid_out<long2, 16, 16> && laid_out<long3, 24, 8> && laid_out<long4, 32, 16>);
static_assert(laid_out<ulong1, 8, 8> && laid_out<ulong2, 16, 16> && laid_out<ulong3, 24, 8> && laid_out<ulong4, 32, 16>);
static_assert(laid_out<longlong1, 8, 8> && laid_out<longlong2, 16, 16> && laid_out<longlong3, 24, 8> &&
              laid_out<longlong4, 32, 16>);
static_assert(laid_out<ulonglong1, 8, 8> && laid_out<ulonglong2, 16, 16> && laid_out<ulonglong3, 24, 8> &&
              laid_out<ulonglong4, 32, 16>);
static_assert(laid_out<float1, 4, 4> && laid_out<float2, 8, 8> && laid_out<float3, 12, 4> && laid_out<float4, 16, 16>);
static_assert(laid_out<double1, 8, 8> && laid_out<double2, 16, 16> && laid_out<double3, 24, 8> && laid_out<double4, 32, 16>);
static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4 && std::is_trivially_copyable_v<dim3>);

TEST(VectorTypes, MakeFunctionsSetTheMembersInOrder) {
  const float4 f = make_float4(1, 2.0, 3.0f, 4u);
  EXPECT_EQ(f.x, 1);
  EXPECT_EQ(f.y, 2);
  EXPECT_EQ(f.z, 3);
  EXPECT_EQ(f.w, 4);
  const uchar4 c = make_uchar4(1, 2, 3, 255);
  EXPECT_EQ(c.w, 255);
  constexpr ulonglong2 u = make_ulonglong2(1, ~0ull);
  static_assert(u.x == 1 && u.y == ~0ull);
  const double3 zero{};
  EXPECT_EQ(zero.x + zero.y + zero.z, 0);
  const int1 one = make_int1(7);
  EXPECT_EQ(one.x, 7);
}

enum { kBlock = 16 };

TEST(VectorTypes, Dim3TakesWhatCudaTakes) {
  const std::size_t n = 24;
  const dim3 none;
  EXPECT_TRUE(none.x == 1 && none.y == 1 && none.z == 1);
  const dim3 list = {n, n};
  EXPECT_TRUE(list.x == 24 && list.y == 24 && list.z == 1);
  const dim3 implicit = 7;
  EXPECT_TRUE(implicit.x == 7 && implicit.y == 1 && implicit.z == 1);
  const dim3 mixed(kBlock, 3.0, 'a');
  EXPECT_TRUE(mixed.x == 16 && mixed.y == 3 && mixed.z == 97);
  const dim3 from_uint3 = make_uint3(1, 2, 3);
  const uint3 back = from_uint3;
  EXPECT_TRUE(back.x == 1 && back.y == 2 && back.z == 3);
  constexpr dim3 fixed(4, 5u, 6L);
  static_assert(fixed.x == 4 && fixed.y == 5 && fixed.z == 6);
  const auto threads = [](dim3 size) { return size.x * size.y * size.z; };
  EXPECT_EQ(threads({2, 3}) + threads(5), 11u);
}

__noinline__ __host__ __device__ int twice(int value) {
  return 2 * value;
}
__forceinline__ __device__ int thrice(int value) {
  return 3 * value;
}
struct __align__(32) Wide {
  char c;
};

TEST(Words, StandWhereUsersWriteThem) {
  EXPECT_EQ(twice(2) + thrice(3), 13);
  EXPECT_EQ(alignof(Wide), 32u);
  EXPECT_EQ(*std::make_shared<std::string>("a"), "a");
  EXPECT_EQ(PHPC_CUDA_ARCH, 900);
}

}  // namespace
