// A kernel, a device function and a kernel template for kernel_in_header.cu.
#pragma once

static __device__ int squared(int value) {
  return value * value;
}

static __global__ void square_all(int* data, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = squared(data[i]);
  }
}

template <int Distance>
__global__ void rotate_in_block(int* data) {
  extern __shared__ int values[];
  values[threadIdx.x] = data[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  data[blockIdx.x * blockDim.x + threadIdx.x] = values[(threadIdx.x + Distance) % blockDim.x];
}
