// refused: 4: a __managed__ variable
#include <cuda_runtime.h>

__managed__ int shared_by_both = 3;

__global__ void triple() {
  shared_by_both *= 3;
}

int main() {
  triple<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
