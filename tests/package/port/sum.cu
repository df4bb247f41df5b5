// What `portable-hpc port --cmake` is given by tests/package/run_port.cmake: sums of 64 numbers each, through shared memory.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__constant__ int factor;

__global__ void sum(const int* numbers, int* sums) {
  __shared__ int part[64];
  part[threadIdx.x] = factor * numbers[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) {
      part[threadIdx.x] += part[threadIdx.x + width];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    sums[blockIdx.x] = part[0];
  }
}

int main() {
  const int blocks = 37;
  std::vector<int> numbers(blocks * 64, 1);
  std::vector<int> sums(blocks, -1);
  int* device_numbers = nullptr;
  int* device_sums = nullptr;
  const int three = 3;
  cudaMalloc(&device_numbers, numbers.size() * sizeof(int));
  cudaMalloc(&device_sums, sums.size() * sizeof(int));
  cudaMemcpyToSymbol(factor, &three, sizeof(three));
  cudaMemcpy(device_numbers, numbers.data(), numbers.size() * sizeof(int), cudaMemcpyHostToDevice);
  sum<<<blocks, 64>>>(device_numbers, device_sums);
  cudaMemcpy(sums.data(), device_sums, sums.size() * sizeof(int), cudaMemcpyDeviceToHost);
  int wrong = cudaGetLastError() == cudaSuccess ? 0 : 1;
  for (const int one : sums) {
    wrong += one == 3 * 64 ? 0 : 1;
  }
  cudaFree(device_numbers);
  cudaFree(device_sums);
  std::printf("%d wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}
