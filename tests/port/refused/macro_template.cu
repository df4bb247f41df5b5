// refused: 8: a kernel whose template parameters come from a macro
#include <cuda_runtime.h>

#define KERNEL(name)    \
  template <typename T> \
  __global__ void name##_kernel(T* x)

KERNEL(scale) {
  x[threadIdx.x] *= 2;
}

int main() {
  scale_kernel<<<1, 1>>>(static_cast<float*>(nullptr));
}
