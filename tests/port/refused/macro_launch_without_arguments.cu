// refused: 11: a launch whose <<<>>> a macro holds without its arguments
#include <cuda_runtime.h>

#define RUN(name) name##_kernel<<<1, 32>>>

__global__ void scale_kernel(float* x) {
  x[threadIdx.x] *= 2;
}

int main() {
  RUN(scale)(nullptr);
}
