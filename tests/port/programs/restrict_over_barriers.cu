// Memory behind __restrict__ parameters that one thread writes and others read after a barrier: what a thread has read, or written,
// before a barrier is not what is there behind it.
#include <cstdio>

// One thread writes the first element, then all read it; once more, and the block's last thread then.
__global__ void once_more(int* __restrict__ row, int* __restrict__ out) {
  const int t = threadIdx.x;
  if (t == 1) row[0] = 5;
  __syncthreads();
  const int first = row[0];
  __syncthreads();
  if (t == blockDim.x - 1) row[0] = 7;
  __syncthreads();
  out[t] = first * 10 + row[0];
}

// The same in a loop.
__global__ void told(int* __restrict__ row, int* __restrict__ out, const int* __restrict__ rounds) {
  const int t = threadIdx.x;
  int sum = 0;
  for (int round = 0; round < rounds[0]; ++round) {
    if (t == round % blockDim.x) row[0] = round + 1;
    __syncthreads();
    sum = sum * 3 + row[0];
    __syncthreads();
  }
  out[t] = sum;
}

__device__ int rotated(int* __restrict__ row, int t, int size) {
  row[t] = t + 1;
  __syncthreads();
  const int next = row[(t + 1) % size];
  __syncthreads();
  row[t] = next * 10;
  __syncthreads();
  return row[0] + row[t];
}

// A device function has the parameter, and inlines another that waits.
__device__ int twice(int* __restrict__ row, int t, int size) {
  const int first = rotated(row, t, size);
  const int before = row[size - 1];
  __syncthreads();
  if (t == 0) row[size - 1] = 7;
  __syncthreads();
  return first + before * 1000 + row[size - 1] * 100000;
}

__global__ void in_functions(int* row, int* out) {
  out[threadIdx.x] = twice(row, threadIdx.x, blockDim.x);
}

// Threads of a warp meet.
__global__ void in_warps(int* __restrict__ row, int* out) {
  const int t = threadIdx.x, first = t / 32 * 32;
  row[t] = t;
  __syncwarp();
  const int before = row[first];
  __syncwarp();
  if (t % 32 == 31) row[first] = before + 5;
  __syncwarp();
  out[t] = before * 100 + row[first];
}

static int got[1024];

static bool differ(const char* name, int size, int i, int expected) {
  if (got[i] != expected) std::printf("FAIL: %s, size %d, element %d is %d, not %d\n", name, size, i, got[i], expected);
  return got[i] != expected;
}

int main() {
  int *row, *out, *rounds;
  cudaMalloc(&row, sizeof(got));
  cudaMalloc(&out, sizeof(got));
  cudaMalloc(&rounds, sizeof(int));
  const int count = 5;
  cudaMemcpy(rounds, &count, sizeof(int), cudaMemcpyHostToDevice);
  bool passed = true;
  for (int size : {2, 31, 64, 1000}) {
    told<<<1, size>>>(row, out, rounds);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < size; ++i) passed = passed && !differ("told", size, i, (((1 * 3 + 2) * 3 + 3) * 3 + 4) * 3 + 5);
    once_more<<<1, size>>>(row, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < size; ++i) passed = passed && !differ("once_more", size, i, 57);
    in_functions<<<1, size>>>(row, out);
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < size; ++i) passed = passed && !differ("in_functions", size, i, 20 + (i + 1) % size * 10 + 10 + 10000 + 700000);
  }
  in_warps<<<1, 64>>>(row, out);
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i) passed = passed && !differ("in_warps", 64, i, i / 32 * 32 * 100 + i / 32 * 32 + 5);
  std::printf(passed ? "PASS\n" : "");
  return passed ? 0 : 1;
}
