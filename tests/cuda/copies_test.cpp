// Copies and fills between all kinds of memory.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "phpc/cuda/runtime_api.hpp"

namespace phpc::test {
namespace {

constexpr std::size_t length = 1000;
constexpr std::size_t total_bytes = length * sizeof(int);

std::vector<int> numbers(int first) {
  std::vector<int> values(length);
  std::iota(values.begin(), values.end(), first);
  return values;
}

class CudaCopies : public testing::Test {
 protected:
  void SetUp() override {
    cudaGetLastError();
    ASSERT_EQ(cudaMalloc(&one_, total_bytes), cudaSuccess);
    ASSERT_EQ(cudaMalloc(&other_, total_bytes), cudaSuccess);
  }
  void TearDown() override {
    EXPECT_EQ(cudaFree(one_), cudaSuccess);
    EXPECT_EQ(cudaFree(other_), cudaSuccess);
    cudaGetLastError();
  }
  int* one_ = nullptr;
  int* other_ = nullptr;
};

TEST_F(CudaCopies, GoWhereThePointersPoint) {
  const std::vector<int> from = numbers(5);
  std::vector<int> to(length);
  EXPECT_EQ(cudaMemcpy(one_, from.data(), total_bytes, cudaMemcpyHostToDevice), cudaSuccess);
  // Programs say so of device memory by mistake, and CUDA copies it.
  EXPECT_EQ(cudaMemcpy(other_, one_, total_bytes, cudaMemcpyHostToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemset(one_, 0, total_bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(one_, other_, total_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(cudaMemset(other_, 0, total_bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(other_ + 1, one_ + 1, total_bytes - sizeof(int), cudaMemcpyDeviceToDevice), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(to.data(), other_, total_bytes, cudaMemcpyDefault), cudaSuccess);
  EXPECT_EQ(to[0], 0);
  EXPECT_TRUE(std::equal(to.begin() + 1, to.end(), from.begin() + 1));
  std::vector<int> third(length);
  EXPECT_EQ(cudaMemcpy(third.data(), to.data(), total_bytes, cudaMemcpyHostToHost), cudaSuccess);
  EXPECT_EQ(third, to);
}

TEST_F(CudaCopies, AreRefusedAsByCuda) {
  std::vector<int> host(2 * length);
  EXPECT_EQ(cudaMemcpy(one_, host.data(), total_bytes, static_cast<cudaMemcpyKind>(5)), cudaErrorInvalidMemcpyDirection);
  EXPECT_EQ(cudaMemcpy(one_, nullptr, total_bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, host.data(), total_bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data(), host.data() + length, total_bytes, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(host.data() + length, host.data(), total_bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(one_, host.data(), 2 * total_bytes, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy2D(one_, 8, host.data(), 16, 12, 2, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
  EXPECT_EQ(cudaMemset(host.data(), 0, total_bytes), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemcpy(nullptr, nullptr, 0, cudaMemcpyHostToDevice), cudaSuccess);
}

TEST_F(CudaCopies, OfRows) {
  constexpr std::size_t width = 25;
  constexpr std::size_t height = 40;
  const std::vector<int> from = numbers(0);
  int* rows = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&rows, &pitch, width * sizeof(int), height), cudaSuccess);
  ASSERT_EQ(cudaMemset2D(rows, pitch, 0xff, width * sizeof(int), height), cudaSuccess);
  ASSERT_EQ(
      cudaMemcpy2D(rows, pitch, from.data(), width * sizeof(int), (width - 1) * sizeof(int), height, cudaMemcpyHostToDevice),
      cudaSuccess);
  std::vector<int> to(length);
  ASSERT_EQ(cudaMemcpy2DAsync(to.data(), width * sizeof(int), rows, pitch, width * sizeof(int), height, cudaMemcpyDeviceToHost),
            cudaSuccess);
  for (std::size_t i = 0; i < length; ++i) {
    ASSERT_EQ(to[i], i % width == width - 1 ? -1 : static_cast<int>(i));
  }
  EXPECT_EQ(cudaFree(rows), cudaSuccess);
}

TEST_F(CudaCopies, OfVolumes) {
  constexpr std::size_t nx = 10;
  constexpr std::size_t ny = 20;
  constexpr std::size_t nz = 5;
  std::vector<int> from = numbers(0);
  cudaPitchedPtr volume{};
  const cudaExtent extent = make_cudaExtent(nx * sizeof(int), ny, nz);
  ASSERT_EQ(cudaMalloc3D(&volume, extent), cudaSuccess);
  ASSERT_EQ(cudaMemset3D(volume, 0, extent), cudaSuccess);
  // All but the first column, row and slice.
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(from.data(), nx * sizeof(int), nx, ny);
  in.srcPos = make_cudaPos(sizeof(int), 1, 1);
  in.dstPtr = volume;
  in.dstPos = in.srcPos;
  in.extent = make_cudaExtent((nx - 1) * sizeof(int), ny - 1, nz - 1);
  in.kind = cudaMemcpyHostToDevice;
  ASSERT_EQ(cudaMemcpy3D(&in), cudaSuccess);
  std::vector<int> to(length);
  cudaMemcpy3DParms out{};
  out.srcPtr = volume;
  out.dstPtr = make_cudaPitchedPtr(to.data(), nx * sizeof(int), nx, ny);
  out.extent = extent;
  out.kind = cudaMemcpyDeviceToHost;
  ASSERT_EQ(cudaMemcpy3D(&out), cudaSuccess);
  for (std::size_t i = 0; i < length; ++i) {
    const bool is_first = i % nx == 0 || i / nx % ny == 0 || i / nx / ny == 0;
    ASSERT_EQ(to[i], is_first ? 0 : static_cast<int>(i));
  }
  EXPECT_EQ(cudaFree(volume.ptr), cudaSuccess);
}

TEST_F(CudaCopies, BetweenDevices) {
  int devices = 0;
  ASSERT_EQ(cudaGetDeviceCount(&devices), cudaSuccess);
  const std::vector<int> from = numbers(3);
  ASSERT_EQ(cudaMemcpy(one_, from.data(), total_bytes, cudaMemcpyHostToDevice), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(devices - 1), cudaSuccess);
  int* there = nullptr;
  ASSERT_EQ(cudaMalloc(&there, total_bytes), cudaSuccess);
  EXPECT_EQ(cudaMemcpyPeer(there, devices - 1, one_, 0, total_bytes), cudaSuccess);
  std::vector<int> to(length);
  EXPECT_EQ(cudaMemcpy(to.data(), there, total_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  EXPECT_EQ(to, from);
  EXPECT_EQ(cudaMemcpyPeer(there, devices, one_, 0, total_bytes), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaFree(there), cudaSuccess);
  ASSERT_EQ(cudaSetDevice(0), cudaSuccess);
}

// Fills are launches on a GPU, among which copies within its memory go; nobody waits for either.
TEST_F(CudaCopies, KeepTheirPlaceAmongLaunches) {
  const unsigned seed = std::random_device()();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  cudaStream_t own = nullptr;
  ASSERT_EQ(cudaStreamCreate(&own), cudaSuccess);
  ASSERT_EQ(cudaMemset(one_, 0, total_bytes), cudaSuccess);
  ASSERT_EQ(cudaMemset(other_, 0, total_bytes), cudaSuccess);
  int* const places[] = {one_, other_};
  std::vector<unsigned char> expected[] = {std::vector<unsigned char>(total_bytes), std::vector<unsigned char>(total_bytes)};
  for (int i = 0; i < 400; ++i) {
    const unsigned to = random() % 2;
    const std::size_t begin = random() % total_bytes;
    const std::size_t bytes = 1 + random() % (total_bytes - begin);
    auto* const there = reinterpret_cast<char*>(places[to]) + begin;
    const auto place = expected[to].begin() + static_cast<std::ptrdiff_t>(begin);
    const cudaStream_t stream = random() % 8 != 0 ? own : nullptr;  // each waits for the other
    if (random() % 2 == 0) {
      ASSERT_EQ(cudaMemsetAsync(there, i % 256, bytes, stream), cudaSuccess);
      std::fill_n(place, bytes, static_cast<unsigned char>(i % 256));
    } else {
      const auto* const from = reinterpret_cast<const char*>(places[1 - to]) + begin;
      ASSERT_EQ(stream == nullptr ? cudaMemcpy(there, from, bytes, cudaMemcpyDefault)
                                  : cudaMemcpyAsync(there, from, bytes, cudaMemcpyDeviceToDevice, stream),
                cudaSuccess);
      std::copy_n(expected[1 - to].begin() + static_cast<std::ptrdiff_t>(begin), bytes, place);
    }
    if (random() % 50 == 0 || i == 399) {
      std::vector<unsigned char> got(total_bytes);
      ASSERT_EQ(cudaMemcpy(got.data(), places[to], total_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
      ASSERT_EQ(got, expected[to]) << "step " << i;
    }
  }
  EXPECT_EQ(cudaStreamDestroy(own), cudaSuccess);
}

TEST_F(CudaCopies, FillBytes) {
  EXPECT_EQ(cudaMemset(one_, 0x12, total_bytes), cudaSuccess);
  EXPECT_EQ(cudaMemset(reinterpret_cast<char*>(one_) + 3, 0x1234, 6), cudaSuccess);
  std::vector<unsigned char> to(total_bytes);
  EXPECT_EQ(cudaMemcpy(to.data(), one_, total_bytes, cudaMemcpyDeviceToHost), cudaSuccess);
  for (std::size_t i = 0; i < total_bytes; ++i) {
    ASSERT_EQ(to[i], i >= 3 && i < 9 ? 0x34 : 0x12);
  }
}

}  // namespace
}  // namespace phpc::test
