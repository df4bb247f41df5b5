// refused: 3: cooperative_groups/scan.h
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

namespace cg = cooperative_groups;

__global__ void sums(int* data) {
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  data[threadIdx.x] = cg::inclusive_scan(warp, data[threadIdx.x]);
}
