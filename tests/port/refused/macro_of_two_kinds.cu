// refused: 8: a macro that both declares and defines kernels
#include <cuda_runtime.h>

#define KERNEL(name) __global__ void name##_kernel(float* x)

KERNEL(scale);

KERNEL(scale) {
  x[threadIdx.x] *= 2;
}

int main() {
  scale_kernel<<<1, 1>>>(nullptr);
}
