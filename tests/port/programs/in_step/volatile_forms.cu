// Sums of a warp over shared memory that the text calls volatile in other ways than by a variable that is an array of such elements or a
// pointer to some: casts, members, references, what functions return, and single variables.
#include <cuda_runtime.h>

#include <cstdio>

#define AT(i) (*(volatile int*)&s[i])

__global__ void by_cast(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  s[t + 32] = 0;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) AT(t) += AT(t + d);
  out[t] = s[0];
}

struct Numbers {
  volatile int values[64];
};

__global__ void by_member(int* out) {
  __shared__ Numbers s;
  const int t = threadIdx.x;
  s.values[t] = t;
  s.values[t + 32] = 0;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) s.values[t] += s.values[t + d];
  out[t] = s.values[0];
}

__device__ volatile int* as_volatile(int* numbers) { return numbers; }

__global__ void by_function(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = t;
  s[t + 32] = 0;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) as_volatile(s)[t] += as_volatile(s)[t + d];
  out[t] = s[0];
}

__global__ void by_reference(int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  volatile int& own = s[t];
  own = t;
  s[t + 32] = 0;
  __syncthreads();
  for (int d = 16; d > 0; d /= 2) {
    volatile int& other = s[t + d];
    own += other;
  }
  out[t] = s[0];
}

// Lane 3 waits for a lane of another warp.
__global__ void single(int* out) {
  volatile __shared__ int flag;
  const int t = threadIdx.x;
  if (t == 0) flag = 0;
  __syncthreads();
  if (t == 40) flag = 31 * 16;
  if (t == 3) {
    while (flag == 0) {
    }
  }
  __syncthreads();
  out[t] = flag;
}

int main() {
  int* memory;
  int got[64];
  cudaMalloc(&memory, sizeof(got));
  int wrong = 0;
  const auto check = [&](const char* name) {
    cudaMemcpy(got, memory, sizeof(got), cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int t = 0; t < 32; ++t) bad += got[t] != 31 * 16;
    if (bad != 0) std::printf("%s: %d of 32 differ\n", name, bad);
    wrong += bad;
  };
  by_cast<<<1, 32>>>(memory);
  check("by_cast");
  by_member<<<1, 32>>>(memory);
  check("by_member");
  by_function<<<1, 32>>>(memory);
  check("by_function");
  by_reference<<<1, 32>>>(memory);
  check("by_reference");
  single<<<1, 64>>>(memory);
  check("single");
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
