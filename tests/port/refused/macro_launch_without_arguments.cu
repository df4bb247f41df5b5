// refused: 15: a list in braces as the argument of a launch
#include <cuda_runtime.h>

struct Range {
  int from, to;
};

#define RUN(name) name##_kernel<<<1, 32>>>

__global__ void fill_kernel(int* x, Range range) {
  x[threadIdx.x] = range.from;
}

int main() {
  RUN(fill)(nullptr, {1, 2});
}
