// Matrix transposition through a padded tile in shared memory, with sizes that the tile does not divide.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define TILE 16
#define ROWS 4

__global__ void transpose(const float* __restrict__ in, float* __restrict__ out, int width, int height) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    if (x < width && y + j < height) {
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
    }
  }
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
#pragma unroll
  for (int j = 0; j < TILE; j += ROWS) {
    if (x < height && y + j < width) {
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
    }
  }
}

int main(void) {
  const int width = 75, height = 101;
  const size_t bytes = width * height * sizeof(float);
  float* in = (float*)malloc(bytes);
  float* out = (float*)malloc(bytes);
  float *device_in, *device_out;
  cudaMalloc((void**)&device_in, bytes);
  cudaMalloc((void**)&device_out, bytes);
  for (int i = 0; i < width * height; i++) {
    in[i] = (float)i;
  }
  cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice);
  dim3 block(TILE, ROWS);
  dim3 grid((width + TILE - 1) / TILE, (height + TILE - 1) / TILE);
  transpose<<<grid, block>>>(device_in, device_out, width, height);
  cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < height; y++) {
    for (int x = 0; x < width; x++) {
      wrong += out[x * height + y] != in[y * width + x];
    }
  }
  free(in);
  free(out);
  cudaFree(device_in);
  cudaFree(device_out);
  if (wrong) {
    printf("FAIL: %d elements\n", wrong);
    return 1;
  }
  printf("PASS\n");
  return 0;
}
