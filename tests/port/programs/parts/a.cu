// First of two sources that are each a whole program for a GPU: kernels and variables of the same names, constant memory of both.
#include <cstdio>

#include "adding_steps.cuh"

__constant__ int weights[4];

static __global__ void weigh(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] = weights[i % 4] * i;
}

int main() {
  constexpr int count = 1000;
  const int here[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(weights, here, sizeof here);
  int* values;
  cudaMalloc(&values, count * sizeof(int));
  weigh<<<10, 100>>>(values, count);
  add_steps<<<10, 100>>>(values, count);
  run_b(values, count);
  add_steps<<<10, 100>>>(values, count);
  int result[count], calls_here = -1;
  if (cudaMemcpy(result, values, sizeof result, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  cudaMemcpyFromSymbol(&calls_here, calls, sizeof calls_here);
  cudaFree(values);
  for (int i = 0; i < count; ++i) {
    const int expected = (i % 4 + 1) * i + 3 * (3 * i + 1) + 10 * (4 - i % 4) + i;
    if (result[i] != expected) {
      printf("FAIL: %d: %d, not %d\n", i, result[i], expected);
      return 1;
    }
  }
  if (calls_here != 2 || calls_of_b() != 1) {
    printf("FAIL: kernels ran %d and %d times, not 2 and 1\n", calls_here, calls_of_b());
    return 1;
  }
  printf("PASS\n");
  return 0;
}
