// refused: 10: a launch by cudaLaunchKernel of what is not known for a kernel
#include <cuda_runtime.h>

__global__ void fill(int* data, int value) {
  data[threadIdx.x] = value;
}

int run(const void* kernel, int* data, int value) {
  void* arguments[] = {&data, &value};
  return cudaLaunchKernel(kernel, dim3(1), dim3(32), arguments, 0, nullptr);
}

int main() {
  return run((const void*)fill, nullptr, 3);
}
