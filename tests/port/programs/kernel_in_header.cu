// Kernels that live in a header of the program.
#include <cstdio>

#include "kernel_in_header.cuh"

int main() {
  const int n = 33 * 9;
  int host[n];
  for (int i = 0; i < n; ++i) {
    host[i] = i - 100;
  }
  int* data;
  cudaMalloc(&data, sizeof host);
  cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
  square_all<<<2, 250>>>(data, n);
  rotate_in_block<5><<<9, 33, 33 * sizeof(int)>>>(data);
  cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(data);
  for (int i = 0; i < n; ++i) {
    const int from = i / 33 * 33 + (i % 33 + 5) % 33 - 100;
    if (host[i] != from * from) {
      std::printf("FAIL: element %d is %d, not %d\n", i, host[i], from * from);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
