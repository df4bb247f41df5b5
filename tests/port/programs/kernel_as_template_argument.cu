// Kernels that are arguments of templates, by a type and by auto; several device variables on one line.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int added = 3; __device__ int times; __constant__ int offset;  // all of one line

__global__ void change(int* data) {
  data[threadIdx.x] = (data[threadIdx.x] + added) * times + offset;
}

__global__ void twice(int* data) {
  data[threadIdx.x] *= 2;
}

template <void (*Kernel)(int*)>
struct Runner {
  static void run(int* data, int n) { Kernel<<<1, n>>>(data); }
};

template <auto Kernel>
void run(int* data, int n) {
  Kernel<<<1, n>>>(data);
}

int main() {
  constexpr int n = 33;
  const int two = 2, seven = 7;
  int *data, host[n];
  cudaMalloc(&data, sizeof host);
  cudaMemset(data, 0, sizeof host);
  cudaMemcpyToSymbol(times, &two, sizeof two);
  cudaMemcpyToSymbol(offset, &seven, sizeof seven);
  Runner<change>::run(data, n);
  run<twice>(data, n);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int value : host) {
    wrong += value != 26;
  }
  cudaFree(data);
  std::printf(wrong != 0 ? "FAIL: %d values\n" : "PASS\n", wrong);
  return wrong != 0;
}
