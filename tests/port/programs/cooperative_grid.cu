// The group of all threads of a launch, in a kernel and in a device function: ranks and sizes, in one to three dimensions. (Its
// barrier is refused: refused/grid_barrier.cu.)
#include <cooperative_groups.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int n = 100;

__device__ void increment(int* data, int count) {
  const cg::grid_group grid = cg::this_grid();
  for (unsigned long long i = grid.thread_rank(); i < count; i += grid.size()) {
    data[i] += 1;
  }
}

__global__ void count(int* data, int* blocks) {
  increment(data, n);
  auto grid = cg::this_grid();
  if (grid.thread_rank() < n) {
    blocks[grid.thread_rank()] = grid.block_rank() * 100 + grid.num_blocks() * 10 + grid.dim_blocks().y;
  }
}

int main() {
  int *data, *blocks, host[n];
  cudaMalloc(&data, sizeof host);
  cudaMalloc(&blocks, sizeof host);
  cudaMemset(data, 0, sizeof host);
  count<<<dim3(2, 3), dim3(4, 1, 2)>>>(data, blocks);
  int wrong = 0;
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    wrong += host[i] != 1;
  }
  cudaMemcpy(host, blocks, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 48; ++i) {
    wrong += host[i] != i / 8 * 100 + 63;
  }
  cudaFree(data);
  cudaFree(blocks);
  std::printf(wrong != 0 ? "FAIL: %d values\n" : "PASS\n", wrong);
  return wrong != 0;
}
