// Scans of a warp by s[i] += s[i - d] without any barrier between the steps, in a device function of two kernels, as radix sorts of CUDA
// samples have it.
#include <cuda_runtime.h>

#include <cstdio>
#include <random>
#include <vector>

constexpr int warp_lanes = 32;

// 64 elements of shared memory a warp.
__device__ unsigned scan_warp(unsigned value, volatile unsigned* s, const int levels) {
  int i = 2 * threadIdx.x - (threadIdx.x & (warp_lanes - 1));
  s[i] = 0;
  i += warp_lanes;
  s[i] = value;
  if (0 <= levels) { s[i] += s[i - 1]; }
  if (1 <= levels) { s[i] += s[i - 2]; }
  if (2 <= levels) { s[i] += s[i - 4]; }
  if (3 <= levels) { s[i] += s[i - 8]; }
  if (4 <= levels) { s[i] += s[i - 16]; }
  return s[i] - value;
}

__device__ unsigned scan_block(unsigned value, unsigned* s) {
  const unsigned t = threadIdx.x;
  unsigned before = scan_warp(value, s, 4);
  __syncthreads();
  if ((t & (warp_lanes - 1)) == warp_lanes - 1) s[t >> 5] = before + value;
  __syncthreads();
  // s[t] is read by each lane before any writes.
  if (t < warp_lanes) s[t] = scan_warp(t < blockDim.x / warp_lanes ? s[t] : 0, s, 4);
  __syncthreads();
  before += s[t >> 5];
  __syncthreads();
  return before;
}

__global__ void exclusive_scan(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[2 * 1024 + 64];
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = scan_block(in[i], s);
}

// Sorts a block's keys by their lowest bits.
__global__ void split_by_bits(const unsigned* in, unsigned* out, int bits) {
  __shared__ unsigned s[2 * 1024 + 64];
  __shared__ unsigned zeros;
  const unsigned t = threadIdx.x;
  unsigned key = in[blockIdx.x * blockDim.x + t];
  for (int bit = 0; bit < bits; ++bit) {
    const unsigned is_zero = !(key >> bit & 1);
    const unsigned before = scan_block(is_zero, s);
    if (t == blockDim.x - 1) zeros = before + is_zero;
    __syncthreads();
    s[is_zero ? before : zeros + t - before] = key;
    __syncthreads();
    key = s[t];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = key;
}

// Inclusive, by a loop, whose condition parts the lanes, in a block of any size.
__global__ void inclusive_scan(const int* in, int* out, int n) {
  volatile __shared__ int s[1024];
  const int t = threadIdx.x, lane = t % 32;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d) s[t] += s[t - d];
  if (i < n) out[i] = s[t];
}

int main() {
  const unsigned seed = 271828;
  std::mt19937 random(seed);
  const int n = 7 * 1024;
  std::vector<unsigned> in(n), out(n);
  std::vector<int> numbers(n), sums(n);
  for (int i = 0; i < n; ++i) {
    in[i] = random() % 4096;
    numbers[i] = static_cast<int>(random() % 100) - 50;
  }
  unsigned *a, *b;
  int *c, *d;
  cudaMalloc(&a, n * sizeof(unsigned));
  cudaMalloc(&b, n * sizeof(unsigned));
  cudaMalloc(&c, n * sizeof(int));
  cudaMalloc(&d, n * sizeof(int));
  cudaMemcpy(a, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  cudaMemcpy(c, numbers.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  int wrong = 0;
  for (const int threads : {32, 64, 128, 1024}) {
    exclusive_scan<<<n / threads, threads>>>(a, b);
    cudaMemcpy(out.data(), b, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    unsigned sum = 0;
    for (int i = 0; i < n; ++i) {
      sum = i % threads == 0 ? 0 : sum;
      wrong += out[i] != sum;
      sum += in[i];
    }
    split_by_bits<<<n / threads, threads>>>(a, b, 5);
    cudaMemcpy(out.data(), b, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (int block = 0; block < n; block += threads) {
      int k = block;
      for (unsigned low = 0; low < 32; ++low)
        for (int i = block; i < block + threads; ++i)
          if (in[i] % 32 == low) wrong += out[k++] != in[i];
    }
  }
  for (const int threads : {1, 31, 33, 61, 256, 1000}) {
    const int blocks = (n + threads - 1) / threads;
    inclusive_scan<<<blocks, threads>>>(c, d, n);
    cudaMemcpy(sums.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost);
    int sum = 0;
    for (int i = 0; i < n; ++i) {
      sum = i % threads % 32 == 0 ? numbers[i] : sum + numbers[i];
      wrong += sums[i] != sum;
    }
  }
  std::printf("seed %u: %d wrong\n%s\n", seed, wrong, wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
