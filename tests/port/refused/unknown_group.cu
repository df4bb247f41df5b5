// refused: 8: block_tile_memory
// A tile of more threads than a warp has.
#include <cooperative_groups.h>

namespace cg = cooperative_groups;

__global__ void run(int* data) {
  __shared__ cg::block_tile_memory<128> scratch;
  auto block = cg::this_thread_block(scratch);
  data[block.thread_rank()] = 1;
}

int main() {
  run<<<1, 128>>>(nullptr);
}
