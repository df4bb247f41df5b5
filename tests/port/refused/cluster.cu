// refused: 7: cluster
// A kernel that reads the shared memory of the other block of its cluster.
#include <cooperative_groups.h>

__global__ void run(int* data) {
  __shared__ int value;
  cooperative_groups::cluster_group cluster = cooperative_groups::this_cluster();
  value = blockIdx.x;
  cluster.sync();
  data[blockIdx.x] = *cluster.map_shared_rank(&value, cluster.block_rank() ^ 1);
  cluster.sync();
}

int main() {
  return 0;
}
