// A kernel of two dimensions and its launch.
#include <cuda_runtime.h>

__global__ void scale(float* image, int width, int height, float factor) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (column < width && row < height) {
    image[row * width + column] *= factor;
  }
}

void scale_image(float* image, int width, int height) {
  const dim3 block(16, 16);
  const dim3 grid((width + 15) / 16, (height + 15) / 16);
  scale<<<grid, block>>>(image, width, height, 0.5f);
  cudaDeviceSynchronize();
}
