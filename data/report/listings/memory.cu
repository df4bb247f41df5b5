// Memory of a device and managed memory, to and fro.
#include <cuda_runtime.h>

void there_and_back(float* numbers, size_t bytes) {
  float* on_device = nullptr;
  cudaMalloc(&on_device, bytes);
  cudaMemcpy(on_device, numbers, bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(numbers, on_device, bytes, cudaMemcpyDeviceToHost);
  cudaFree(on_device);
}

float* managed_numbers(size_t count) {
  float* numbers = nullptr;
  cudaMallocManaged(&numbers, count * sizeof(float));
  return numbers;
}
