// refused: 11: a launch by cudaLaunchKernel
#include <cuda_runtime.h>

__global__ void fill(int* data, int value) {
  data[threadIdx.x] = value;
}

int main() {
  int *data = nullptr, value = 3;
  void* arguments[] = {&data, &value};
  return cudaLaunchKernel((void*)fill, dim3(1), dim3(32), arguments, 0, nullptr);
}
