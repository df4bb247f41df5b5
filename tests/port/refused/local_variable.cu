// refused: 6: a device variable inside a function
// A function for the host too would have the host's variable.
#include <cuda_runtime.h>

__host__ __device__ int ticket() {
  static __device__ int next;
  return next++;
}

__global__ void run(int* out) {
  *out = ticket();
}

int main() {
  run<<<1, 1>>>(nullptr);
}
