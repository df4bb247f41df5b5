// refused: 13: grid-wide
// A launch that promises that all blocks run at once.
#include <cuda_runtime.h>

__global__ void run(int* data) {
  data[blockIdx.x] = 1;
}

int main() {
  int* data;
  cudaMalloc(&data, 4 * sizeof(int));
  void* arguments[] = {&data};
  cudaLaunchCooperativeKernel((void*)run, dim3(4), dim3(32), arguments, 0, nullptr);
  return cudaDeviceSynchronize();
}
