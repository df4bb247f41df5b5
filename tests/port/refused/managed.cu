// refused: 5: a device variable that is a member of a template, or an inline or __managed__ one
#include <cuda_runtime.h>

struct Counter {
  static __managed__ int shared_by_both;
};

__global__ void triple() {
  Counter::shared_by_both *= 3;
}

int main() {
  triple<<<1, 1>>>();
  return cudaDeviceSynchronize();
}
