// refused: 7: shared memory declared by a macro
#include <cuda_runtime.h>

#define SHARED_OF(T) __shared__ T

__global__ void reverse(float* x) {
  SHARED_OF(float) row[32];
  row[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  x[threadIdx.x] = row[31 - threadIdx.x];
}

int main() {
  reverse<<<1, 32>>>(nullptr);
}
