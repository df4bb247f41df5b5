// Adds two vectors on the GPU: the smallest complete CUDA program. Prints the largest error, `Error: 0`.
//
//   portable-hpc port vector_add.cu -o vector_add.cpp
//
// gives C++ that runs the same kernel on the threads of a host and on GPUs.
#include "phpc/cuda/cuda.hpp"

#include <cmath>
#include <cstdio>
#include <vector>

// Stops the program when a call of the CUDA run-time API fails, and says where.
#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      return 1;                                                                           \
    }                                                                                     \
  } while (0)

// Each thread adds one pair of elements. The grid has a few threads more than there are elements: these do nothing.
PHPC_KERNEL void add_thread(PHPC_THREAD, const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    sum[i] = a[i] + b[i];
  }
}
void add(phpc::cuda::Grid phpc_grid, const float* a, const float* b, float* sum, int n) { PHPC_LAUNCH(phpc_grid, independent, add_thread(PHPC_INDICES, a, b, sum, n)) }

int main() {
  const int n = 1000003;  // not a multiple of the block size
  const std::size_t bytes = n * sizeof(float);

  // Quarters of small integers: their sums have no rounding errors.
  std::vector<float> a(n), b(n), sum(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 0.25f * (i % 1000);
    b[i] = 0.5f * (i % 77) - 10;
  }

  // Memory of the device, and copies of the two vectors into it.
  float *device_a, *device_b, *device_sum;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_sum, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  // As many blocks of 256 threads as cover all elements. A launch returns no error code: it is asked for afterwards.
  const int block = 256, blocks = (n + block - 1) / block;
  add(phpc::cuda::Grid(blocks, block), device_a, device_b, device_sum, n);
  CHECK(cudaGetLastError());

  // This copy waits for the kernel.
  CHECK(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));

  float error = 0;
  for (int i = 0; i < n; ++i) {
    error = std::fmax(error, std::fabs(sum[i] - (a[i] + b[i])));
  }
  std::printf("Error: %g\n", error);
  return error == 0 ? 0 : 1;
}
