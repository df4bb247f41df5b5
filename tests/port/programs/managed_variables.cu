// Variables that the host and kernels share: initial values, arrays, structures, static and external ones, names in macros and
// namespaces, pointers to them, copies by symbol, and writes of both sides in turn.
#include <cuda_runtime.h>

#include <cstdio>

#define MANAGED __managed__
#define LIMIT (limit + 1)

struct Box {
  int low;
  float sides[3];
};

__managed__ int count = 3, rounds;
__device__ __managed__ float table[4] = {1.0f, 2.0f, 4.0f, 8.0f};  // powers of two
MANAGED Box box = {7, {0.5f, 0.25f, 0.125f}};
static __managed__ unsigned hits;
extern __managed__ int limit;
__managed__ int limit = 9;
__managed__ int *data;

namespace inner {
MANAGED __device__ bool done = false;
}

__device__ int doubled() { return 2 * count; }

__global__ void step(int n) {
  const int i = threadIdx.x;
  if (i < n) {
    atomicAdd(&hits, 1u);
    data[i] += static_cast<int>(table[i % 4]) + LIMIT;
  }
  if (i == 0) {
    rounds = rounds + 1;
    box.low += doubled();
    box.sides[1] *= 2;
    inner::done = rounds == 3;
  }
}

__global__ void fill(float *to, int n) {
  if (threadIdx.x < n) to[threadIdx.x] = 3.0f * threadIdx.x;
}

static int failed(const char *what) {
  std::printf("FAIL: %s\n", what);
  return 1;
}

int main() {
  constexpr int n = 40;
  if (count != 3 || table[3] != 8.0f || box.sides[2] != 0.125f || hits != 0 || limit != 9 || inner::done) {
    return failed("initial values");
  }
  count = 5;
  cudaMallocManaged(&data, n * sizeof(int));
  for (int i = 0; i < n; ++i) data[i] = i;
  for (int turn = 0; !inner::done; ++turn) {
    step<<<1, 64>>>(n);
    if (cudaDeviceSynchronize() != cudaSuccess) return failed("launch");
    limit += 1;
    if (rounds != turn + 1 || hits != unsigned(n * (turn + 1))) return failed("rounds");
  }
  for (int i = 0; i < n; ++i) {
    if (data[i] != i + 3 * (1 << i % 4) + 10 + 11 + 12) return failed("data");
  }
  if (box.low != 7 + 3 * 10 || box.sides[1] != 2.0f) return failed("structure");
  fill<<<1, 32>>>(table, 4);
  fill<<<1, 32>>>(&box.sides[0], 3);
  cudaDeviceSynchronize();
  if (table[3] != 9.0f || box.sides[2] != 6.0f || sizeof(table) != 16) return failed("pointers");
  const float half[2] = {0.5f, 1.5f};
  float back[4] = {};
  cudaMemcpyToSymbol(table, half, sizeof half, 2 * sizeof(float));
  cudaMemcpyFromSymbol(back, table, sizeof back);
  void *address = nullptr;
  cudaGetSymbolAddress(&address, limit);
  if (table[2] != 0.5f || back[3] != 1.5f || back[1] != 3.0f || *static_cast<int *>(address) != 12 || address != &limit) {
    return failed("symbols");
  }
  cudaFree(data);
  std::printf("PASS\n");
  return 0;
}
