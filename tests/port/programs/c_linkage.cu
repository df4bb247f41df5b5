// CUDA's header, which nvcc reads before all else, between extern "C" { and }, after code and macros that a compiler's -D might give; launches as formatters space them.
const char* const failure = NULL;
#define T float
#define N 1000
#define K 64
#ifdef __cplusplus
extern "C" {
#endif
#include <cuda_runtime.h>
#include <stdio.h>
#ifdef __cplusplus
}
#endif
#include <cuda_fp16.h>

#ifndef __CUDA_RUNTIME_H__
#error "cuda_runtime.h was not read"
#endif

template <int Factor>
struct Task {
  template <bool Negative>
  __device__ T of(T x) const {
    return Negative ? -Factor * x : Factor * x;
  }
  __device__ static void run(T* a) {
    __shared__ Task<Factor> task;
    __shared__ T row[K];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    row[threadIdx.x] = i;
    __syncthreads();
    if (i < N) {
      a[i] = task.of<true>(row[threadIdx.x]);
    }
  }
};

__global__ void scaled(T* a) { Task<3>::run(a); }

int main() {
  const T* nothing_yet;
  cudaMalloc(&nothing_yet, sizeof(T));
  T* a;
  cudaMallocManaged(&a, N * sizeof(T));
  scaled << < (N + K - 1) / K, dim3(K >> 0, (1 >> 0)) >> > (a);  // << < and >> > stay here
  cudaDeviceSynchronize();
  int wrong = 0;
  for (int i = 0; i < N; ++i) {
    wrong += a[i] != -3 * i;
  }
  printf("%s\n", wrong == 0 && failure == NULL ? "PASS" : "FAIL << < >> >");
  return wrong;
}
