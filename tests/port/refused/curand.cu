// refused: 3: curand
// Random numbers by the library cuRAND, in a kernel.
#include <curand_kernel.h>

__global__ void run(float* out) {
  curandState state;
  curand_init(1234, threadIdx.x, 0, &state);
  out[threadIdx.x] = curand_uniform(&state);
}

int main() {
  return 0;
}
