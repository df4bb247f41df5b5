// Second of two sources.
#include "adding_steps.cuh"

static __constant__ int weights[4];

namespace {
__global__ void weigh(int* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) values[i] += 10 * weights[i % 4] + i;
}
}  // namespace

void run_b(int* values, int count) {
  const int here[4] = {4, 3, 2, 1};
  cudaMemcpyToSymbol(weights, here, sizeof here);
  weigh<<<10, 100>>>(values, count);
  add_steps<<<10, 100>>>(values, count);
}

int calls_of_b() {
  int value = -1;
  cudaMemcpyFromSymbol(&value, calls, sizeof value);
  return value;
}
