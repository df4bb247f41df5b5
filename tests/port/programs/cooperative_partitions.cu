// Groups whose kind is known at run time, and the threads of a warp parted by a predicate or by a label.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

__device__ int sum_of(cg::thread_group group, int *scratch, int value) {
  const unsigned rank = group.thread_rank();
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    scratch[rank] = value;
    group.sync();
    if (rank < half)
      value += scratch[rank + half];
    group.sync();
  }
  if (rank == 0)
    scratch[0] = value;
  group.sync();
  return scratch[0];
}

__device__ int place_of(const cg::thread_block_tile<4> &tile) {
  return tile.meta_group_rank() * 100 + tile.meta_group_size();
}

__global__ void partitions(const int *in, int *out, unsigned tile_size) {
  extern __shared__ int scratch[];
  cg::thread_block block = cg::this_thread_block();
  const unsigned rank = block.thread_rank();
  const int value = in[blockIdx.x * block.size() + rank];
  int *o = out + 9 * (blockIdx.x * block.size() + rank);
  o[0] = sum_of(block, scratch, value);
  block.sync();
  cg::thread_group tile = cg::tiled_partition(block, tile_size);
  o[1] = sum_of(tile, scratch + rank / tile_size * tile_size, value);
  o[2] = tile.thread_rank() * 100 + tile.size();
  cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
  cg::coalesced_group same = cg::binary_partition(warp, value % 3 == 0);
  o[3] = same.thread_rank() * 100 + same.size();
  o[4] = same.shfl(value, 0);
  cg::coalesced_group label = cg::labeled_partition(warp, value % 5);
  o[5] = label.thread_rank() * 100 + label.size();
  o[6] = cg::reduce(label, value, cg::plus<int>());
  cg::coalesced_group nested = cg::binary_partition(label, value % 2 == 0);
  o[7] = nested.num_threads();
  cg::thread_block_tile<4> quarter = cg::tiled_partition<4>(warp);
  o[8] = place_of(quarter) + 10000 * place_of(cg::tiled_partition<4>(block));
}

template <class Same>
static void parted(const std::vector<int> &in, int i, int *rank, int *size, int *first, int *sum, Same same) {
  *rank = *size = *sum = 0;
  for (int t = i / 32 * 32; t < i / 32 * 32 + 32; ++t) {
    if (!same(in[t], in[i]))
      continue;
    if (*size == 0)
      *first = in[t];
    *rank += t < i;
    *sum += in[t];
    ++*size;
  }
}

static bool right(int threads, unsigned tile_size) {
  const int blocks = 3, n = threads * blocks;
  std::vector<int> in(n), out(9 * n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 37 % 101;
  int *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, 9 * n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  partitions<<<blocks, dim3(threads / 2, 2), threads * sizeof(int)>>>(device_in, device_out, tile_size);
  cudaMemcpy(out.data(), device_out, 9 * n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  for (int i = 0; i < n; ++i) {
    int expected[9] = {0, 0, static_cast<int>(i % tile_size * 100 + tile_size)};
    for (int t = i / threads * threads; t < (i / threads + 1) * threads; ++t) {
      expected[0] += in[t];
      expected[1] += t / tile_size == i / tile_size ? in[t] : 0;
    }
    int rank, size, first, sum;
    parted(in, i, &rank, &size, &first, &sum, [](int a, int b) { return (a % 3 == 0) == (b % 3 == 0); });
    expected[3] = rank * 100 + size;
    expected[4] = first;
    parted(in, i, &rank, &size, &first, &sum, [](int a, int b) { return a % 5 == b % 5; });
    expected[5] = rank * 100 + size;
    expected[6] = sum;
    parted(in, i, &rank, &size, &first, &sum, [](int a, int b) { return a % 5 == b % 5 && a % 2 == b % 2; });
    expected[7] = size;
    expected[8] = i % 32 / 4 * 100 + 8 + 10000 * (i % threads / 4 * 100 + threads / 4);
    for (int k = 0; k < 9; ++k) {
      if (out[9 * i + k] != expected[k]) {
        std::printf("FAIL: %d threads, tiles of %u, value %d of element %d is %d, not %d\n", threads, tile_size, k, i, out[9 * i + k],
                    expected[k]);
        return false;
      }
    }
  }
  return true;
}

int main() {
  const bool ok = right(64, 8) && right(128, 32) && right(32, 16) && right(64, 1);
  if (ok)
    std::printf("PASS\n");
  return ok ? 0 : 1;
}
