// What two sources share that each compiles for itself, as nvcc does by default: a device function, a kernel template and a device variable
// of each source's own.
#include <cuda_runtime.h>

static __device__ int calls = 0;

__device__ inline int step_of(int value) { return 3 * value + 1; }

template <class T>
__global__ void add_steps(T* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i == 0) ++calls;
  if (i < count) values[i] += static_cast<T>(step_of(i));
}

void run_b(int* values, int count);  // b.cu
int calls_of_b();
