// refused: 15: a cluster of blocks
// Of the attributes of a launch those that are more than hints.
#include <cuda_runtime.h>

__global__ void run(int* data) {
  data[threadIdx.x] = blockIdx.x;
}

int main() {
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 32;
  cudaLaunchAttribute attribute;
  // Two blocks a cluster.
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = 2;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, run, nullptr);
}
