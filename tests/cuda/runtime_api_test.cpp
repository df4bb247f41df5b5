// Errors: codes, texts, and how long they are kept.
#include "phpc/cuda/runtime_api.hpp"

#include <gtest/gtest.h>

#include <string>
#include <thread>

namespace phpc::test {
namespace {

TEST(CudaErrors, HaveCudasNamesAndTexts) {
  struct Known {
    int code;
    const char* name;
    const char* text;
  };
  static constexpr Known all[] = {
      {0, "cudaSuccess", "no error"},
      {1, "cudaErrorInvalidValue", "invalid argument"},
      {2, "cudaErrorMemoryAllocation", "out of memory"},
      {9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
      {21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
      {100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
      {101, "cudaErrorInvalidDevice", "invalid device ordinal"},
      {400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
      {600, "cudaErrorNotReady", "device not ready"},
      {700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
      {719, "cudaErrorLaunchFailure", "unspecified launch failure"},
      {999, "cudaErrorUnknown", "unknown error"},
      {12345, "unrecognized error code", "unrecognized error code"},
  };
  for (const Known& one : all) {
    EXPECT_STREQ(cudaGetErrorName(static_cast<cudaError_t>(one.code)), one.name);
    EXPECT_STREQ(cudaGetErrorString(static_cast<cudaError_t>(one.code)), one.text);
  }
}

TEST(CudaErrors, TheLastOneIsKeptUntilItIsAsked) {
  cudaGetLastError();
  EXPECT_EQ(cudaMalloc(static_cast<void**>(nullptr), 8), cudaErrorInvalidValue);
  int count = 0;
  EXPECT_EQ(cudaGetDeviceCount(&count), cudaSuccess);  // clears nothing
  EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST(CudaErrors, BelongToAThread) {
  cudaGetLastError();
  std::thread([] { EXPECT_EQ(cudaSetDevice(1000), cudaErrorInvalidDevice); }).join();
  EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
}

TEST(CudaErrors, OfWrongHandles) {
  int something = 0;
  const auto stream = reinterpret_cast<cudaStream_t>(&something);
  const auto event = reinterpret_cast<cudaEvent_t>(&something);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaStreamDestroy(nullptr), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventRecord(event), cudaErrorInvalidResourceHandle);
  EXPECT_EQ(cudaEventDestroy(event), cudaErrorInvalidResourceHandle);
  cudaGetLastError();
}

}  // namespace
}  // namespace phpc::test
