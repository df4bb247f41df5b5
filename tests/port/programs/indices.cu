// Indices and sizes of grids and blocks of one, two and three dimensions, as the threads see them.
#include <cstdio>
#include <vector>

struct Seen {
  unsigned thread[3], block[3], block_size[3], grid_size[3];
  int warp;
};

__global__ void look(Seen* seen) {
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  Seen& mine = seen[block * (blockDim.x * blockDim.y * blockDim.z) + rank];
  const uint3 thread = threadIdx;
  const dim3 size = blockDim;
  mine.thread[0] = thread.x, mine.thread[1] = thread.y, mine.thread[2] = thread.z;
  mine.block[0] = blockIdx.x, mine.block[1] = blockIdx.y, mine.block[2] = blockIdx.z;
  mine.block_size[0] = size.x, mine.block_size[1] = size.y, mine.block_size[2] = size.z;
  mine.grid_size[0] = gridDim.x, mine.grid_size[1] = gridDim.y, mine.grid_size[2] = gridDim.z;
  mine.warp = warpSize;
}

static bool right(dim3 grid, dim3 block) {
  const std::size_t threads = block.x * block.y * block.z, count = threads * grid.x * grid.y * grid.z;
  std::vector<Seen> host(count);
  Seen* device;
  cudaMalloc(&device, count * sizeof(Seen));
  cudaMemset(device, 0xff, count * sizeof(Seen));
  look<<<grid, block>>>(device);
  const bool ran = cudaMemcpy(host.data(), device, count * sizeof(Seen), cudaMemcpyDeviceToHost) == cudaSuccess;
  cudaFree(device);
  std::size_t at = 0;
  for (unsigned bz = 0; bz < grid.z; ++bz) {
    for (unsigned by = 0; by < grid.y; ++by) {
      for (unsigned bx = 0; bx < grid.x; ++bx) {
        for (unsigned z = 0; z < block.z; ++z) {
          for (unsigned y = 0; y < block.y; ++y) {
            for (unsigned x = 0; x < block.x; ++x) {
              const Seen& s = host[at++];
              if (s.thread[0] != x || s.thread[1] != y || s.thread[2] != z || s.block[0] != bx || s.block[1] != by ||
                  s.block[2] != bz || s.block_size[0] != block.x || s.block_size[1] != block.y || s.block_size[2] != block.z ||
                  s.grid_size[0] != grid.x || s.grid_size[1] != grid.y || s.grid_size[2] != grid.z || s.warp != 32) {
                return false;
              }
            }
          }
        }
      }
    }
  }
  return ran;
}

int main() {
  const std::size_t side = 5;
  dim3 from_sizes = {side, side};  // size_t in braces: accepted by nvcc
  dim3 copied(from_sizes);
  dim3 changed;
  changed.y = 7;
  const unsigned seven = 7;
  int failed = 0;
  failed += !right(1, 1);
  failed += !right(5, 33);
  failed += !right(2, 1024);
  failed += !right(from_sizes, dim3(3, 11));
  failed += !right(dim3(1, 3, 2), copied);
  failed += !right(changed, dim3(seven, 2, 3));
  failed += !right(dim3(2, 2, 2), {1, 1, 64});
  failed += !right(dim3{3, 1, 3}, dim3(250, 1, 1));
  if (failed != 0) {
    std::printf("FAIL: %d of 8 shapes\n", failed);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
