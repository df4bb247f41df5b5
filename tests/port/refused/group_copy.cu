// refused: 3: cooperative_groups/memcpy_async.h
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>

namespace cg = cooperative_groups;

__global__ void copies(const int* in, int* out) {
  __shared__ int kept[32];
  const auto block = cg::this_thread_block();
  cg::memcpy_async(block, kept, in, sizeof(kept));
  cg::wait(block);
  out[threadIdx.x] = kept[threadIdx.x];
}
