// refused: 6: a template of device variables
// Text of an initial value may need what only the template has.
#include <cuda_runtime.h>

template <typename T>
__device__ T start = T(3);

template <typename T>
__global__ void begin(T *to) {
  *to = start<T>;
}

int main() {
  begin<float><<<1, 1>>>(nullptr);
  return cudaDeviceSynchronize();
}
