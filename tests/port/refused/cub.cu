// refused: 3: cub
// A block reduction of the library CUB.
#include <cub/cub.cuh>

__global__ void run(const int* in, int* out) {
  using Reduce = cub::BlockReduce<int, 128>;
  __shared__ typename Reduce::TempStorage storage;
  const int sum = Reduce(storage).Sum(in[threadIdx.x]);
  if (threadIdx.x == 0) {
    *out = sum;
  }
}

int main() {
  return 0;
}
