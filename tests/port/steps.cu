// Kernels of which the pass of thread_steps must make lanes go in step, and others, and functions of the host, that it must leave.
#include <cuda_runtime.h>

#include <cstdio>

__device__ void add(volatile int* s, int i) { s[i] += s[i + 16]; }

__global__ void by_volatile(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  add(s, threadIdx.x);
  out[threadIdx.x] = s[0];
}

__global__ void without_barrier(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = out[threadIdx.x];
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// Of the same text as by_volatile, but correct.
__global__ void by_syncwarp(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  add(s, threadIdx.x);
  __syncwarp();
  out[threadIdx.x] = s[0];
}

__global__ void by_barriers(int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// What is volatile lies in memory of the grid.
__global__ void by_flags(volatile int* flags, int* out) {
  __shared__ int s[64];
  s[threadIdx.x] = flags[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}

// The same, over a device function, of which the translator does not know.
__device__ int load(const volatile int* numbers, int i) { return numbers[i]; }

__global__ void by_called_flags(int* flags, int* out) {
  __shared__ int s[64];
  for (int k = 0; k < 2; ++k) {
    s[threadIdx.x] = load(flags, k * 64 + threadIdx.x);
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
    __syncthreads();
  }
}

__global__ void independent_threads(int* out) { out[threadIdx.x] += 1; }

// Shared memory is accessed by atomics alone.
__global__ void by_atomics(int* out) {
  __shared__ int s[64];
  atomicAdd(&s[threadIdx.x % 2], 1);
  out[threadIdx.x] = 1;
}

// Each thread has an element, a structure or a column of its own.
struct Own {
  int numbers[4];
  int count;
};

__device__ void append(Own& own, int number) { own.numbers[own.count++ & 3] = number; }

__global__ void by_own_elements(int* out) {
  __shared__ Own own[64];
  __shared__ int last[64];
  __shared__ int columns[4][16 * 4];
  own[threadIdx.x].count = 0;
  for (int i = 0; i < 4; ++i) {
    append(own[threadIdx.x], out[threadIdx.x * 4 + i]);
    last[threadIdx.x] = i;
    columns[i][threadIdx.y * 16 + threadIdx.x] = i;
  }
  out[threadIdx.x] = own[threadIdx.x].numbers[2] + last[threadIdx.x] + columns[out[0] & 3][threadIdx.y * 16 + threadIdx.x];
}

// The same, but one element is another's.
__global__ void by_neighbours(int* out) {
  __shared__ int last[64];
  int* const own = &last[threadIdx.x];
  *own = out[threadIdx.x];
  out[threadIdx.x] = threadIdx.x > 0 ? own[-1] : 0;
}

__device__ int again(volatile int* s, int n) { return n == 0 ? s[0] : again(s, n - 1) + s[n]; }

__global__ void by_itself(int* out, int n) {
  __shared__ int s[64];
  s[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = again(s, n);
}

int main() {
  static volatile int numbers[64];
  int* memory;
  cudaMalloc(&memory, 64 * sizeof(int));
  by_volatile<<<1, 32>>>(memory);
  without_barrier<<<1, 64>>>(memory);
  by_syncwarp<<<1, 32>>>(memory);
  by_barriers<<<1, 64>>>(memory);
  by_flags<<<1, 64>>>(memory, memory);
  by_called_flags<<<1, 64>>>(memory, memory);
  independent_threads<<<1, 64>>>(memory);
  by_atomics<<<1, 64>>>(memory);
  by_own_elements<<<1, 16>>>(memory);
  by_neighbours<<<1, 64>>>(memory);
  by_itself<<<1, 64>>>(memory, 7);
  for (int i = 0; i < 63; ++i) numbers[i] = numbers[i + 1] + 1;
  std::printf("%d\n", numbers[0]);
}
