// refused: 3: cuda/barrier
// A split barrier of the library libcu++.
#include <cuda/barrier>

__global__ void run(int* data) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
  }
  __syncthreads();
  data[threadIdx.x] = 1;
  barrier.arrive_and_wait();
}

int main() {
  return 0;
}
