// Block reductions in four styles: interleaved, halving, with warp shuffles at the end, and by grid-stride with several blocks.
#include <climits>
#include <cstdio>
#include <vector>

__global__ void interleaved(const int* in, int* out, int n) {
  extern __shared__ int sums[];
  const unsigned t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sums[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (unsigned s = 1; s < blockDim.x; s *= 2) {
    if (t % (2 * s) == 0 && t + s < blockDim.x) {
      sums[t] += sums[t + s];
    }
    __syncthreads();
  }
  if (t == 0) {
    out[blockIdx.x] = sums[0];
  }
}

template <unsigned Size>  // a power of two
__global__ void halving(const int* in, int* out, int n) {
  __shared__ int sums[Size];
  const int t = threadIdx.x;
  int mine = 0;
  for (int i = blockIdx.x * Size + t; i < n; i += gridDim.x * Size) {
    mine += in[i];
  }
  sums[t] = mine;
  __syncthreads();
#pragma unroll
  for (unsigned s = Size / 2; s > 0; s >>= 1) {
    if (t < s) {
      sums[t] += sums[t + s];
    }
    __syncthreads();
  }
  if (t == 0)
    out[blockIdx.x] = sums[0];
}

__inline__ __device__ int warp_sum(int value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) {
    value += __shfl_down_sync(0xffffffff, value, offset);
  }
  return value;
}

__global__ void with_shuffles(const int* in, int* out, int n) {
  static __shared__ int of_warps[32];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = warp_sum(i < n ? in[i] : 0);
  if (lane == 0)
    of_warps[warp] = value;
  __syncthreads();
  value = threadIdx.x < blockDim.x / 32 ? of_warps[lane] : 0;
  if (warp == 0)
    value = warp_sum(value);
  if (threadIdx.x == 0)
    out[blockIdx.x] = value;
}

__global__ void largest(const int* in, int* out, int n) {
  __shared__ int best;
  if (threadIdx.x == 0)
    best = INT_MIN;
  __syncthreads();
  int mine = INT_MIN;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
    mine = max(mine, in[i]);
  atomicMax(&best, mine);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = best;
}

int main() {
  const int n = 10007;
  std::vector<int> in(n), part(n);
  int sum = 0, top = INT_MIN;
  for (int i = 0; i < n; ++i) {
    in[i] = i * 7919 % 2003 - 1000;
    sum += in[i];
    top = in[i] > top ? in[i] : top;
  }
  int *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  auto collect = [&](int blocks, bool maximum) {
    cudaMemcpy(part.data(), device_out, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    int result = maximum ? INT_MIN : 0;
    for (int b = 0; b < blocks; ++b)
      result = !maximum ? result + part[b] : part[b] > result ? part[b] : result;
    return result;
  };
  int failed = 0;
  for (int size : {1, 7, 33, 250}) {
    interleaved<<<(n + size - 1) / size, size, size * sizeof(int)>>>(device_in, device_out, n);
    failed += collect((n + size - 1) / size, false) != sum;
  }
  halving<64><<<13, 64>>>(device_in, device_out, n);
  failed += collect(13, false) != sum;
  for (int size : {32, 96, 1024}) {
    with_shuffles<<<(n + size - 1) / size, size>>>(device_in, device_out, n);
    failed += collect((n + size - 1) / size, false) != sum;
  }
  largest<<<5, 33>>>(device_in, device_out, n);
  failed += collect(5, true) != top;
  cudaFree(device_in);
  cudaFree(device_out);
  std::printf(failed ? "FAIL: %d of 9 sums\n" : "PASS\n", failed);
  return failed ? 1 : 0;
}
