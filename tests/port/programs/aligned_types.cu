// Types of wide alignment: as a kernel's parameters, small and many, in shared memory (alone, in a structure, dynamic), in
// arrays of the threads' own, in device variables and across a barrier.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

struct __align__(32) Four {
  double x, y, z, w;
};
struct alignas(64) Eight {
  double s[8];
};
struct Pair {
  char first;
  Eight second;
};
struct Wide {
  Eight rows[9];  // more than travels with a launch
};

__device__ Eight in_device[2];
__constant__ Four in_constant;

__device__ bool is_aligned(const void* p, unsigned bytes) {
  return reinterpret_cast<std::uintptr_t>(p) % bytes == 0;
}

__global__ void by_value(double* out, char shift, Four a, bool negate, Eight b, Pair c) {
  const int i = threadIdx.x;
  Four four = a;
  Eight eight = b;
  eight.s[i % 8] += four.x + shift;
  out[i] = (negate ? -1 : 1) * (eight.s[i % 8] + four.w + c.first + c.second.s[7]);
}

__global__ void many(double* out, Wide wide, Four a) {
  double sum = a.y;
  for (const Eight& row : wide.rows) {
    sum += row.s[threadIdx.x % 8];
  }
  out[threadIdx.x] = sum;
}

__global__ void shared(double* out, Four a, int n) {
  __shared__ char odd;
  __shared__ Eight rows[33];
  __shared__ Pair pair;
  extern __shared__ Four rest[];
  const int i = threadIdx.x;
  Eight own[2] = {};
  own[1].s[3] = i;
  odd = 1;
  rows[i] = own[1];
  rest[i] = a;
  pair.second = in_device[1];
  __syncthreads();
  const bool aligned = is_aligned(rows, 64) && is_aligned(&pair, 64) && is_aligned(own, 64) && is_aligned(in_device, 64);
  out[i] = aligned ? rows[n - 1 - i].s[3] + rest[n - 1 - i].z + own[1].s[3] + pair.second.s[0] + in_constant.w + odd : -1000;
}

int main() {
  const int n = 33;
  double *device, host[n];
  cudaMalloc(&device, sizeof host);
  const Four four{1, 2, 3, 4};
  Eight eight{}, both[2] = {};
  Pair pair{5, {}};
  Wide wide{};
  for (int k = 0; k < 8; ++k) {
    eight.s[k] = pair.second.s[k] = 10 * k;
    for (Eight& row : wide.rows) {
      row.s[k] = k;
    }
  }
  both[1].s[0] = 7;
  cudaMemcpyToSymbol(in_device, both, sizeof both);
  cudaMemcpyToSymbol(in_constant, &four, sizeof four);
  const char* wrong = nullptr;
  by_value<<<1, n>>>(device, 2, four, true, eight, pair);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != -(10 * (i % 8) + 1 + 2 + 4 + 5 + 70)) {
      wrong = "by_value";
    }
  }
  many<<<1, n>>>(device, wide, four);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != 2 + 9 * (i % 8)) {
      wrong = "many";
    }
  }
  shared<<<1, n, n * sizeof(Four)>>>(device, four, n);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != n - 1 - i + 3 + i + 7 + 4 + 1) {
      wrong = "shared";
    }
  }
  cudaFree(device);
  std::printf(wrong != nullptr ? "FAIL: %s\n" : "PASS\n", wrong);
  return wrong != nullptr;
}
