// What programs are told of devices.
#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <thread>

#include "phpc/cuda/launch_queue.hpp"
#include "phpc/cuda/runtime_api.hpp"

namespace phpc::test {
namespace {

using cuda::with_attributes;

int device_count() {
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);
  return count;
}

TEST(CudaDevices, AreThereAndAreSetByThread) {
  const int count = device_count();
  ASSERT_GE(count, 1);
  EXPECT_EQ(cudaSetDevice(count), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(-1), cudaErrorInvalidDevice);
  EXPECT_EQ(cudaSetDevice(count - 1), cudaSuccess);
  std::thread([] {
    int device = -1;
    EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
    EXPECT_EQ(device, 0);
  }).join();
  int device = -1;
  EXPECT_EQ(cudaGetDevice(&device), cudaSuccess);
  EXPECT_EQ(device, count - 1);
  EXPECT_EQ(cudaSetDevice(0), cudaSuccess);
  cudaGetLastError();
}

TEST(CudaDevices, HaveProperties) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  EXPECT_GT(std::strlen(properties.name), 0u);
  EXPECT_GT(properties.totalGlobalMem, std::size_t{1} << 20);
  EXPECT_EQ(properties.warpSize, 32);
  EXPECT_EQ(properties.maxThreadsPerBlock, 1024);
  EXPECT_EQ(properties.maxThreadsDim[2], 64);
  EXPECT_EQ(properties.maxGridSize[0], 2147483647);
  EXPECT_EQ(properties.maxGridSize[1], 65535);
  EXPECT_EQ(properties.sharedMemPerBlock, 48u << 10);
  EXPECT_GE(properties.multiProcessorCount, 1);
  EXPECT_GT(properties.clockRate, 0);
  EXPECT_GT(properties.memoryBusWidth, 0);
  EXPECT_GT(properties.l2CacheSize, 0);
  EXPECT_EQ(cudaGetDeviceProperties(&properties, 1000), cudaErrorInvalidDevice);
  int chosen = -1;
  EXPECT_EQ(cudaChooseDevice(&chosen, &properties), cudaSuccess);
  EXPECT_EQ(chosen, 0);
  cudaGetLastError();
}

TEST(CudaDevices, AttributesAgreeWithProperties) {
  cudaDeviceProp properties;
  ASSERT_EQ(cudaGetDeviceProperties(&properties, 0), cudaSuccess);
  const auto attribute = [](cudaDeviceAttr one) {
    int value = -1;
    EXPECT_EQ(cudaDeviceGetAttribute(&value, one, 0), cudaSuccess);
    return value;
  };
  EXPECT_EQ(attribute(cudaDevAttrMultiProcessorCount), properties.multiProcessorCount);
  EXPECT_EQ(attribute(cudaDevAttrMaxBlockDimZ), properties.maxThreadsDim[2]);
  EXPECT_EQ(attribute(cudaDevAttrMaxGridDimX), properties.maxGridSize[0]);
  EXPECT_EQ(attribute(cudaDevAttrMaxSharedMemoryPerBlock), static_cast<int>(properties.sharedMemPerBlock));
  EXPECT_EQ(attribute(cudaDevAttrComputeCapabilityMajor), properties.major);
  EXPECT_EQ(attribute(cudaDevAttrComputeMode), cudaComputeModeDefault);
}

TEST(CudaDevices, KeepLimitsUntilReset) {
  std::size_t usual = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&usual, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 2 * usual), cudaSuccess);
  std::size_t value = 0;
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, 2 * usual);
  float* memory = nullptr;
  EXPECT_EQ(cudaMalloc(&memory, 64), cudaSuccess);
  EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
  EXPECT_EQ(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
  EXPECT_EQ(value, usual);
  EXPECT_EQ(cudaFree(memory), cudaErrorInvalidValue) << "the reset has freed it";
  EXPECT_EQ(cudaDeviceSetLimit(static_cast<cudaLimit>(7), 1), cudaErrorUnsupportedLimit);
  cudaGetLastError();
}

TEST(CudaDevices, ArePeersOfOthersOnly) {
  int can_access = -1;
  EXPECT_EQ(cudaDeviceCanAccessPeer(&can_access, 0, 0), cudaSuccess);
  EXPECT_EQ(can_access, 0);
  EXPECT_EQ(cudaDeviceEnablePeerAccess(0, 0), cudaErrorInvalidDevice);
  if (device_count() > 1) {
    EXPECT_EQ(cudaDeviceEnablePeerAccess(1, 0), cudaErrorPeerAccessUnsupported);
    EXPECT_EQ(cudaDeviceDisablePeerAccess(1), cudaErrorPeerAccessNotEnabled);
  }
  cudaGetLastError();
}

TEST(CudaDevices, AreFoundByPciBusId) {
  char text[32];
  ASSERT_EQ(cudaDeviceGetPCIBusId(text, sizeof text, 0), cudaSuccess);
  EXPECT_EQ(std::string(text).size(), 12u);
  int device = -1;
  EXPECT_EQ(cudaDeviceGetByPCIBusId(&device, text), cudaSuccess);
  EXPECT_EQ(device, 0);
}

TEST(CudaDevices, TakeConfigurationsWithinTheirLimits) {
  using cuda::Grid;
  using cuda::detail::check_launch;
  cudaGetLastError();
  EXPECT_TRUE(check_launch(Grid(1, 1024), 1024));
  EXPECT_TRUE(check_launch(Grid(dim3(2147483647, 65535, 65535), dim3(16, 16, 4), 48 << 10), 1024));
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
  struct Wrong {
    Grid grid;
    cudaError_t code;
  };
  const Wrong all[] = {
      {Grid(0, 1), cudaErrorInvalidConfiguration},
      {Grid(1, 0), cudaErrorInvalidConfiguration},
      {Grid(1, 1025), cudaErrorInvalidConfiguration},
      {Grid(1, dim3(512, 512)), cudaErrorInvalidConfiguration},
      {Grid(1, dim3(1, 1, 65)), cudaErrorInvalidConfiguration},
      {Grid(dim3(1, 65536), 1), cudaErrorInvalidConfiguration},
      {Grid(1, 1, std::size_t{1} << 20), cudaErrorInvalidValue},
      {Grid(1, 512), cudaErrorLaunchOutOfResources},
  };
  for (const Wrong& one : all) {
    EXPECT_FALSE(check_launch(one.grid, 256));
    EXPECT_EQ(cudaGetLastError(), one.code);
  }
}

__attribute__((unused)) void some_kernel(int* /*out*/) {}

TEST(CudaDevices, AnswerForKernelsPlausibly) {
  int blocks = 0;
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, some_kernel, 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 8);
  int grid = 0;
  int block = 0;
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, some_kernel, 0, 128), cudaSuccess);
  EXPECT_EQ(block, 128);
  EXPECT_GE(grid, 1);
  cudaFuncAttributes attributes;
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, some_kernel), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 1024);
  EXPECT_EQ(attributes.sharedSizeBytes, 0U);
  EXPECT_EQ(cudaFuncGetAttributes(&attributes, with_attributes(some_kernel, 512, 96)), cudaSuccess);
  EXPECT_EQ(attributes.maxThreadsPerBlock, 96);
  EXPECT_EQ(attributes.sharedSizeBytes, 512U);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_attributes(some_kernel, 100 << 10), 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 2);
  EXPECT_EQ(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, with_attributes(some_kernel, 0, 128), 256, 0), cudaSuccess);
  EXPECT_EQ(blocks, 0);
  EXPECT_EQ(cudaOccupancyMaxPotentialBlockSize(&grid, &block, with_attributes(some_kernel, 512, 96)), cudaSuccess);
  EXPECT_EQ(block, 96);
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10), cudaSuccess);
  EXPECT_EQ(cudaFuncSetAttribute(some_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 20), cudaErrorInvalidValue);
  EXPECT_EQ(cudaFuncSetCacheConfig(some_kernel, cudaFuncCachePreferL1), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace phpc::test
