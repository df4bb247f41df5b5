// Sum in one launch: each block leaves its part, and the block that finishes last (a counter tells) adds the parts.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__device__ unsigned int finished = 0;
__shared__ bool is_last;  // a shared variable outside of the functions

template <int Size>
__device__ void block_sum(volatile long long* scratch) {
  for (int half = Size / 2; half > 0; half /= 2) {
    if (threadIdx.x < half)
      scratch[threadIdx.x] += scratch[threadIdx.x + half];
    __syncthreads();
  }
}

template <int Size>
__global__ void sum(const int* in, int n, volatile long long* parts, long long* result) {
  __shared__ long long scratch[Size];
  long long mine = 0;
  for (int i = blockIdx.x * Size + threadIdx.x; i < n; i += gridDim.x * Size) {
    mine += in[i];
  }
  scratch[threadIdx.x] = mine;
  __syncthreads();
  block_sum<Size>(scratch);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = scratch[0];
    __threadfence();
    const unsigned int ticket = atomicInc(&finished, gridDim.x - 1);
    is_last = ticket == gridDim.x - 1;
  }
  __syncthreads();
  if (is_last) {
    long long total = 0;
    for (unsigned int b = threadIdx.x; b < gridDim.x; b += Size)
      total += parts[b];
    scratch[threadIdx.x] = total;
    __syncthreads();
    block_sum<Size>(scratch);
    if (threadIdx.x == 0)
      *result = scratch[0];
  }
}

int main() {
  const int n = 30011;
  std::vector<int> in(n);
  long long expected = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 48271 % 65537;
    expected += in[i];
  }
  int* device_in;
  long long *parts, *result, got;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&parts, 250 * sizeof(long long));
  cudaMalloc(&result, sizeof(long long));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int blocks : {1, 7, 33, 250}) {
    cudaMemset(result, 0, sizeof(long long));
    sum<64><<<blocks, 64>>>(device_in, n, parts, result);
    cudaMemcpy(&got, result, sizeof got, cudaMemcpyDeviceToHost);
    if (got != expected) {
      std::printf("FAIL: %d blocks: %lld, not %lld\n", blocks, got, expected);
      return 1;
    }
  }
  cudaFree(device_in);
  cudaFree(parts);
  cudaFree(result);
  std::printf("PASS\n");
  return 0;
}
