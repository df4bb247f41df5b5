// refused: 8: grid-wide
// A barrier of all blocks.
#include <cooperative_groups.h>

__global__ void run(int* data) {
  cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  data[grid.thread_rank()] = 1;
  grid.sync();
  data[grid.thread_rank()] += data[grid.size() - 1 - grid.thread_rank()];
}

int main() {
  return 0;
}
