// Variables of the device that stand in functions: one for all threads and launches, one for each instance of a template.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int ticket() {
  static __device__ int next = 100;
  return atomicAdd(&next, 1);
}

__device__ float entry(int i) {
  static __constant__ float table[4] = {0.5f, 1.5f, 2.5f, 3.5f};
  static const int order[] = {3, 2, 1, 0};
  return table[order[i % 4]];
}

template <int Step>
__device__ int counted() {
  __device__ static unsigned int calls, twice[2];
  atomicAdd(&twice[1], 2 * Step);
  return atomicAdd(&calls, Step);
}

struct Sum {
  __device__ static int add(int value) {
    static __device__ int sum;
    return atomicAdd(&sum, value) + value;
  }
};

__global__ void run(int *tickets, float *entries, int *sums) {
  __device__ static int launches;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&tickets[ticket() - 100], 1);
  entries[i] = entry(i);
  counted<1>();
  counted<3>();
  Sum::add(1);
  atomicAdd(&launches, 1);
  sums[3 + i] = launches > 0;
}

__global__ void read(int *sums) {
  sums[0] = counted<1>();
  sums[1] = counted<3>();
  sums[2] = Sum::add(0);
}

int main() {
  const int n = 3 * 64;
  static int tickets[2 * n], sums[n + 3];
  static float entries[n];
  int *d_tickets, *d_sums;
  float *d_entries;
  cudaMalloc(&d_tickets, sizeof tickets);
  cudaMalloc(&d_entries, sizeof entries);
  cudaMalloc(&d_sums, sizeof sums);
  cudaMemset(d_tickets, 0, sizeof tickets);
  run<<<3, 64>>>(d_tickets, d_entries, d_sums);
  run<<<3, 64>>>(d_tickets, d_entries, d_sums);
  read<<<1, 1>>>(d_sums);
  cudaMemcpy(tickets, d_tickets, sizeof tickets, cudaMemcpyDeviceToHost);
  cudaMemcpy(entries, d_entries, sizeof entries, cudaMemcpyDeviceToHost);
  cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
  int wrong = sums[0] != 2 * n || sums[1] != 6 * n || sums[2] != 2 * n;
  for (int i = 0; i < 2 * n; ++i) {
    wrong += tickets[i] != 1;
  }
  for (int i = 0; i < n; ++i) {
    wrong += entries[i] != 3.5f - i % 4 || sums[3 + i] != 1;
  }
  printf(wrong ? "FAIL: %d\n" : "PASS\n", wrong);
  return wrong != 0;
}
