// Graphs that are captured from streams.
#include <gtest/gtest.h>

#include "phpc/cuda/runtime_api.hpp"

namespace phpc::test {
namespace {

TEST(CudaGraphs, DoAgainWhatWasCaptured) {
  int* host = nullptr;
  int* memory = nullptr;
  cudaStream_t stream = nullptr;
  cudaStream_t other = nullptr;
  cudaEvent_t fork = nullptr;
  cudaEvent_t join = nullptr;
  ASSERT_EQ(cudaMallocHost(&host, 4 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaMalloc(&memory, 4 * sizeof(int)), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  ASSERT_EQ(cudaStreamCreate(&other), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&fork), cudaSuccess);
  ASSERT_EQ(cudaEventCreate(&join), cudaSuccess);
  host[0] = 1;
  host[2] = host[3] = 0;
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(memory, host, sizeof(int), cudaMemcpyHostToDevice, stream), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(fork, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(other, fork), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host + 3, memory, sizeof(int), cudaMemcpyDeviceToHost, other), cudaSuccess);
  EXPECT_EQ(cudaEventRecord(join, other), cudaSuccess);
  EXPECT_EQ(cudaMemcpyAsync(host + 2, memory, sizeof(int), cudaMemcpyDeviceToHost, stream), cudaSuccess);
  EXPECT_EQ(cudaStreamWaitEvent(stream, join), cudaSuccess);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  EXPECT_EQ(cudaStreamIsCapturing(other, &status), cudaSuccess);
  EXPECT_EQ(status, cudaStreamCaptureStatusActive);
  cudaGraph_t graph = nullptr;
  ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
  EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
  EXPECT_EQ(host[2], 0) << "nothing was done yet";
  cudaGraphExec_t executable = nullptr;
  ASSERT_EQ(cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0), cudaSuccess);
  EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
  for (int times = 1; times <= 3; ++times) {
    host[0] = times;
    EXPECT_EQ(cudaGraphLaunch(executable, stream), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
    EXPECT_EQ(host[2], times);
    EXPECT_EQ(host[3], times);
  }
  float milliseconds = 0;
  EXPECT_EQ(cudaEventElapsedTime(&milliseconds, fork, join), cudaErrorCapturedEvent) << "a graph does not record them";
  EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
  for (const cudaEvent_t event : {fork, join}) {
    EXPECT_EQ(cudaEventDestroy(event), cudaSuccess);
  }
  EXPECT_EQ(cudaStreamDestroy(other), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  EXPECT_EQ(cudaFree(memory), cudaSuccess);
  EXPECT_EQ(cudaFreeHost(host), cudaSuccess);
}

TEST(CudaGraphs, ACallThatWaitsEndsTheCapture) {
  cudaStream_t stream = nullptr;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  cudaGraph_t graph = nullptr;
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
  EXPECT_EQ(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal), cudaErrorStreamCaptureUnsupported);
  ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
  EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
  EXPECT_EQ(graph, nullptr);
  EXPECT_EQ(cudaStreamSynchronize(stream), cudaSuccess);
  EXPECT_EQ(cudaStreamDestroy(stream), cudaSuccess);
  cudaGetLastError();
}

}  // namespace
}  // namespace phpc::test
