// Cooperative groups: the thread block, and tiles of 32, 16 and 4 threads with shuffles, votes, ranks and sync.
#include <cooperative_groups.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

template <typename Group>
__device__ int sum_of(const Group& group, int value) {
  for (int offset = group.size() / 2; offset > 0; offset /= 2) {
    value += group.shfl_down(value, offset);
  }
  return group.shfl(value, 0);
}

__device__ int block_sum(cg::thread_block block, int* scratch, int value) {
  const int rank = block.thread_rank();
  scratch[rank] = value;
  block.sync();
  for (int half = block.size() / 2; half > 0; half /= 2) {
    if (rank < half)
      scratch[rank] += scratch[rank + half];
    block.sync();
  }
  const int sum = scratch[0];
  cg::sync(block);
  return sum;
}

template <int Size>
__global__ void tiles(const int* in, int* out) {
  extern __shared__ int scratch[];
  cg::thread_block block = cg::this_thread_block();
  cg::thread_block_tile<Size> tile = cg::tiled_partition<Size>(block);
  const int rank = block.thread_rank();
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * block.size() + rank;
  const int value = in[i];
  int* o = out + 8 * i;
  o[0] = sum_of(tile, value);
  o[1] = tile.shfl_up(value, 1);
  o[2] = tile.shfl_xor(value, Size / 2);
  o[3] = static_cast<int>(tile.ballot(value % 2 == 0));
  o[4] = (tile.any(value % 7 == 0) ? 1 : 0) + (tile.all(value < 90) ? 2 : 0);
  o[5] = tile.thread_rank() * 1000 + tile.meta_group_rank() * 10 + tile.size();
  tile.sync();
  o[6] = block_sum(block, scratch, value);
  scratch[rank] = value;
  tile.sync();
  const int first = rank - static_cast<int>(tile.thread_rank());
  o[7] = scratch[first + (tile.thread_rank() + 1) % Size] + block.thread_index().x * 1000 + block.group_index().x * 100000;
}

template <int Size>
static bool right(dim3 block) {
  const dim3 grid(2, 3);
  const int threads = block.x * block.y, n = threads * 6;
  std::vector<int> in(n), out(8 * n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 31 % 97;
  int *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, 8 * n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  tiles<Size><<<grid, block, threads * sizeof(int)>>>(device_in, device_out);
  cudaMemcpy(out.data(), device_out, 8 * n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  for (int i = 0; i < n; ++i) {
    const int rank = i % threads, lane = rank % Size, first = i - lane, block_first = i - rank;
    int sum = 0, total = 0, any = 0, all = 2;
    unsigned even = 0;
    for (int l = 0; l < Size; ++l) {
      const int value = in[first + l];
      sum += value;
      even |= (value % 2 == 0 ? 1u : 0u) << l;
      if (value % 7 == 0)
        any = 1;
      if (value >= 90)
        all = 0;
    }
    for (int t = 0; t < threads; ++t)
      total += in[block_first + t];
    const int next = in[first + (lane + 1) % Size] + rank % static_cast<int>(block.x) * 1000 + i / threads % 2 * 100000;
    const int expected[8] = {sum,
                             lane ? in[i - 1] : in[i],
                             in[first + (lane ^ Size / 2)],
                             static_cast<int>(even),
                             any + all,
                             lane * 1000 + rank / Size * 10 + Size,
                             total,
                             next};
    for (int k = 0; k < 8; ++k) {
      if (out[8 * i + k] != expected[k]) {
        std::printf("FAIL: tiles of %d, value %d of element %d is %d, not %d\n", Size, k, i, out[8 * i + k], expected[k]);
        return false;
      }
    }
  }
  return true;
}

int main() {
  const bool ok =
      right<32>(32) && right<32>(dim3(16, 8)) && right<16>(64) && right<16>(dim3(8, 16)) && right<4>(256) && right<4>(32);
  if (ok)
    std::printf("PASS\n");
  return ok ? 0 : 1;
}
