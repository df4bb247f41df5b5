// Smooths two signals with a weighted mean of 2 x RADIUS + 1 neighbours, each signal in a stream of its own, so that the copies
// of one may overlap the kernel of the other. Prints one line: `2 signals of 500009 samples: 0 differ`.
#include "phpc/cuda/cuda.hpp"

#include <cstdio>

#define RADIUS 4
#define BLOCK 250

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      return 1;                                                                           \
    }                                                                                     \
  } while (0)

// The weights of the neighbours: memory that kernels only read, filled by the host before they start.
float weights[2 * RADIUS + 1];
#pragma omp declare target(weights)
PHPC_CONSTANT(weights)

// Each block reads its part of the signal once, with RADIUS neighbours (the halo) on both sides, into shared memory.
// Beyond its ends the signal is zero.
PHPC_KERNEL void smooth_thread(PHPC_THREAD, const float* in, float* out, int n) {
  auto &part = PHPC_SHARED(float[BLOCK + 2 * RADIUS]);
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  const int local = threadIdx.x + RADIUS;
  part[local] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < RADIUS) {  // the first threads bring the halo too
    part[local - RADIUS] = i >= RADIUS ? in[i - RADIUS] : 0.0f;
    part[local + BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0.0f;
  }
  __syncthreads();
  if (i >= n) {
    return;
  }
  float sum = 0;
  for (int d = -RADIUS; d <= RADIUS; ++d) {
    sum += weights[RADIUS + d] * part[local + d];
  }
  out[i] = sum;
}
void smooth(phpc::cuda::Grid phpc_grid, const float* in, float* out, int n) { PHPC_LAUNCH(phpc_grid, cooperate, smooth_thread(PHPC_INDICES, in, out, n)) }

int main() {
  const int n = 500009, signals = 2;
  const std::size_t bytes = n * sizeof(float);
  // Sixteenths with the sum 1; with small integers as samples all results are exact.
  const float host_weights[2 * RADIUS + 1] = {0.0625f, 0.0625f, 0.125f, 0.125f, 0.25f, 0.125f, 0.125f, 0.0625f, 0.0625f};
  CHECK(cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights));

  // Pinned memory of the host: copies from and to it need not wait for the host.
  float *in[signals], *out[signals], *device_in[signals], *device_out[signals];
  cudaStream_t streams[signals];
  for (int s = 0; s < signals; ++s) {
    CHECK(cudaMallocHost(&in[s], bytes));
    CHECK(cudaMallocHost(&out[s], bytes));
    CHECK(cudaMalloc(&device_in[s], bytes));
    CHECK(cudaMalloc(&device_out[s], bytes));
    CHECK(cudaStreamCreate(&streams[s]));
    for (int i = 0; i < n; ++i) {
      in[s][i] = static_cast<float>(i * (s + 3) % 101 - 50);
    }
  }

  // Within a stream the three steps follow one another; the two streams are free to overlap.
  for (int s = 0; s < signals; ++s) {
    CHECK(cudaMemcpyAsync(device_in[s], in[s], bytes, cudaMemcpyHostToDevice, streams[s]));
    smooth(phpc::cuda::Grid((n + BLOCK - 1) / BLOCK, BLOCK, 0, streams[s]), device_in[s], device_out[s], n);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out[s], device_out[s], bytes, cudaMemcpyDeviceToHost, streams[s]));
  }

  int different = 0;
  for (int s = 0; s < signals; ++s) {
    CHECK(cudaStreamSynchronize(streams[s]));
    for (int i = 0; i < n; ++i) {
      float sum = 0;
      for (int d = -RADIUS; d <= RADIUS; ++d) {
        sum += i + d >= 0 && i + d < n ? host_weights[RADIUS + d] * in[s][i + d] : 0.0f;
      }
      different += out[s][i] != sum;
    }
    CHECK(cudaStreamDestroy(streams[s]));
    CHECK(cudaFree(device_in[s]));
    CHECK(cudaFree(device_out[s]));
    CHECK(cudaFreeHost(in[s]));
    CHECK(cudaFreeHost(out[s]));
  }
  std::printf("%d signals of %d samples: %d differ\n", signals, n, different);
  return different == 0 ? 0 : 1;
}
