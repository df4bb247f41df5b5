// Memory of each kind, and what is known of pointers into it.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "phpc/cuda/runtime_api.hpp"

namespace phpc::test {
namespace {

cudaPointerAttributes attributes_of(const void* pointer) {
  cudaPointerAttributes attributes{};
  EXPECT_EQ(cudaPointerGetAttributes(&attributes, pointer), cudaSuccess);
  return attributes;
}

TEST(CudaMemory, OfADevice) {
  double* memory = nullptr;
  ASSERT_EQ(cudaMalloc(&memory, 100 * sizeof(double)), cudaSuccess);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(memory) % 256, 0u);
  EXPECT_EQ(attributes_of(memory + 99).type, cudaMemoryTypeDevice);
  EXPECT_EQ(attributes_of(memory + 99).device, 0);
  EXPECT_EQ(cudaFree(memory + 1), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  EXPECT_EQ(attributes_of(memory).type, cudaMemoryTypeUnregistered);
  EXPECT_EQ(cudaFree(nullptr), cudaSuccess);
  cudaGetLastError();
}

TEST(CudaMemory, OfNoBytesIsNull) {
  void* memory = &memory;
  EXPECT_EQ(cudaMalloc(&memory, 0), cudaSuccess);
  EXPECT_EQ(memory, nullptr);
}

TEST(CudaMemory, MoreThanThereIsIsAnError) {
  std::size_t free_bytes = 0;
  std::size_t total = 0;
  ASSERT_EQ(cudaMemGetInfo(&free_bytes, &total), cudaSuccess);
  EXPECT_GT(free_bytes, 0u);
  EXPECT_LE(free_bytes, total);
  void* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 4 * total), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMalloc(&memory, SIZE_MAX), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaMallocPitch(&memory, &free_bytes, SIZE_MAX / 2, 16), cudaErrorMemoryAllocation);
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST(CudaMemory, OfTheHost) {
  int* memory = nullptr;
  ASSERT_EQ(cudaMallocHost(&memory, 64), cudaSuccess);
  memory[15] = 7;
  EXPECT_EQ(attributes_of(memory).type, cudaMemoryTypeHost);
  int* on_device = nullptr;
  EXPECT_EQ(cudaHostGetDevicePointer(&on_device, memory, 0), cudaSuccess);
  EXPECT_EQ(on_device, memory);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFreeHost(memory), cudaSuccess);
  ASSERT_EQ(cudaHostAlloc(&memory, 64, cudaHostAllocMapped | cudaHostAllocPortable), cudaSuccess);
  unsigned flags = 0;
  EXPECT_EQ(cudaHostGetFlags(&flags, memory), cudaSuccess);
  EXPECT_EQ(flags, cudaHostAllocMapped | cudaHostAllocPortable);
  EXPECT_EQ(cudaFreeHost(memory), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(nullptr), cudaSuccess);
  cudaGetLastError();
}

TEST(CudaMemory, OfTheProgramIsRegistered) {
  std::vector<float> own(1000);
  const std::size_t bytes = own.size() * sizeof(float);
  EXPECT_EQ(attributes_of(own.data()).type, cudaMemoryTypeUnregistered);
  ASSERT_EQ(cudaHostRegister(own.data(), bytes, cudaHostRegisterMapped), cudaSuccess);
  EXPECT_EQ(attributes_of(own.data() + 999).type, cudaMemoryTypeHost);
  EXPECT_EQ(cudaHostRegister(own.data() + 10, 40), cudaErrorHostMemoryAlreadyRegistered);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaSuccess);
  EXPECT_EQ(cudaHostUnregister(own.data()), cudaErrorHostMemoryNotRegistered);
  cudaGetLastError();
}

TEST(CudaMemory, OfBoth) {
  int* memory = nullptr;
  ASSERT_EQ(cudaMallocManaged(&memory, 400), cudaSuccess);
  for (int i = 0; i < 100; ++i) {
    memory[i] = i;
  }
  EXPECT_EQ(attributes_of(memory + 99).type, cudaMemoryTypeManaged);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, 400, 0), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, 400, cudaCpuDeviceId, nullptr), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, 400, cudaMemLocation{cudaMemLocationTypeDevice, 0}, 0u), cudaSuccess);
  EXPECT_EQ(cudaMemPrefetchAsync(memory, 400, 1000), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaMemPrefetchAsync(&memory, 8, 0), cudaErrorInvalidValue);
  EXPECT_EQ(cudaMemAdvise(memory, 400, cudaMemAdviseSetReadMostly, 0), cudaSuccess);
  EXPECT_EQ(cudaMemset(memory, 0, 200), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(memory[49], 0);
  EXPECT_EQ(memory[50], 50);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaMallocManaged(&memory, 0), cudaErrorInvalidValue);
  cudaGetLastError();
}

TEST(CudaMemory, InRows) {
  float* memory = nullptr;
  std::size_t pitch = 0;
  ASSERT_EQ(cudaMallocPitch(&memory, &pitch, 100, 10), cudaSuccess);
  EXPECT_GE(pitch, 100u);
  EXPECT_EQ(pitch % 256, 0u);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  cudaPitchedPtr volume{};
  ASSERT_EQ(cudaMalloc3D(&volume, make_cudaExtent(100, 10, 3)), cudaSuccess);
  EXPECT_EQ(volume.xsize, 100u);
  EXPECT_EQ(volume.ysize, 10u);
  EXPECT_EQ(attributes_of(static_cast<char*>(volume.ptr) + 3 * 10 * volume.pitch - 1).type, cudaMemoryTypeDevice);
  EXPECT_EQ(cudaFree(volume.ptr), cudaSuccess);
}

TEST(CudaMemory, OfAStreamAndOfPools) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  int* memory = nullptr;
  ASSERT_EQ(cudaMallocAsync(&memory, 400, stream), cudaSuccess);
  EXPECT_EQ(cudaMemsetAsync(memory, 1, 400, stream), cudaSuccess);
  int value = 0;
  EXPECT_EQ(cudaMemcpyAsync(&value, memory + 99, sizeof value, cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(value, 0x01010101) << "a copy to memory that is not pinned waits";
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaErrorInvalidValue);
  cudaMemPool_t pool = nullptr;
  ASSERT_EQ(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
  std::uint64_t threshold = UINT64_MAX;
  EXPECT_EQ(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  threshold = 0;
  EXPECT_EQ(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold), cudaSuccess);
  EXPECT_EQ(threshold, UINT64_MAX);
  ASSERT_EQ(cudaMallocFromPoolAsync(&memory, 400, pool, stream), cudaSuccess);
  EXPECT_EQ(cudaFreeAsync(memory, stream), cudaSuccess);
  EXPECT_EQ(cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace phpc::test
