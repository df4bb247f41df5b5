// Names of kernels: overloads, namespaces (nested, unnamed, using), static, default arguments, a declaration before the
// definition.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void declared_first(int* out, int value = 40);

namespace red {
__global__ void paint(int* out) {
  out[threadIdx.x] = 1;
}
namespace dark {
__global__ void paint(int* out) {
  out[threadIdx.x] = 2;
}
}  // namespace dark
}  // namespace red

namespace blue {
__global__ void paint(int* out) {
  out[threadIdx.x] = 3;
}
}  // namespace blue

namespace {
__global__ void hidden(int* out) {
  out[threadIdx.x] = 4;
}
}  // namespace

static __global__ void local(int* out, int first = 5, int second = 6) {
  out[threadIdx.x] = first * 10 + second;
}

__global__ void overloaded(int* out, int value) {
  out[threadIdx.x] = value;
}
__global__ void overloaded(int* out, double value) {
  out[threadIdx.x] = static_cast<int>(value * 100);
}
__global__ void overloaded(int* out) {
  out[threadIdx.x] = -1;
}

static int* device = nullptr;

// Whether all 33 values are `expected`; they are cleared for the next kernel.
static bool holds(int expected) {
  int host[33];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaMemset(device, 0, sizeof host);
  for (int value : host) {
    if (value != expected) {
      return false;
    }
  }
  return true;
}

#define EXPECT(expected, what)       \
  if (!holds(expected)) {            \
    std::printf("FAIL: %s\n", what); \
    return 1;                        \
  }

__global__ void named(int* out, int independent, int cooperate) {
  out[threadIdx.x] = 10 * independent + cooperate;
}

int main() {
  cudaMalloc((void**)&device, 33 * sizeof(int));
  red::paint<<<1, 33>>>(device);
  EXPECT(1, "red::paint")
  red::dark::paint<<<1, 33>>>(device);
  EXPECT(2, "red::dark::paint") {
    using namespace blue;
    paint<<<1, 33>>>(device);
    EXPECT(3, "paint through using namespace")
  }
  hidden<<<1, 33>>>(device);
  EXPECT(4, "kernel of an unnamed namespace")
  local<<<1, 33>>>(device);
  EXPECT(56, "two defaults")
  local<<<1, 33>>>(device, 7);
  EXPECT(76, "one default")
  overloaded<<<1, 33>>>(device, 12);
  EXPECT(12, "overload int")
  overloaded<<<1, 33>>>(device, 0.5);
  EXPECT(50, "overload double")
  overloaded<<<1, 33>>>(device);
  EXPECT(-1, "overload without a value")
  declared_first<<<1, 33>>>(device);
  EXPECT(42, "declared before, default of the declaration")
  ::declared_first<<<1, 33>>>(device, 1);
  EXPECT(3, "declared before")
  named<<<1, 33>>>(device, 3, 4);
  EXPECT(34, "parameters with names of this program's own")
  cudaFree(device);
  std::printf("PASS\n");
  return 0;
}

__global__ void declared_first(int* out, int value) {
  out[threadIdx.x] = value + 2;
}
