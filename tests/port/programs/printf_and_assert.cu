// printf from a kernel (two lines before the PASS) and assertions that hold, in a kernel and in a function for both sides.
#include <assert.h>
#include <stdio.h>

__host__ __device__ int checked_root(int square) {
  int root = 0;
  while (root * root < square)
    ++root;
  assert(root * root == square && "a square number");
  return root;
}

__global__ void talk(int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(blockDim.x == 33);
  if (i < n) {
    out[i] = checked_root(i * i);
    assert(out[i] == i);
  }
  if (i == 40) {
    printf("thread %d of block %u: %.2f %s %c %5u|%-4d|%lld\n", threadIdx.x, blockIdx.x, out[i] * 0.5, "text", 'x', 17u, -3,
           1LL << 40);
    printf("100%%\n");
  }
}

int main() {
  const int n = 99;
  int out[n], *device;
  cudaMalloc(&device, sizeof out);
  talk<<<3, 33>>>(device, n);
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < n; ++i) {
    if (error != cudaSuccess || out[i] != checked_root(i * i)) {
      printf("FAIL: element %d\n", i);
      return 1;
    }
  }
  printf("PASS\n");
  return 0;
}
