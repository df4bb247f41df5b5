// Prefix sums: Hillis and Steele with two buffers, Blelloch's tree, and a warp scan with carried sums over several blocks.
#include <cstdio>
#include <vector>

__global__ void two_buffers(const unsigned* in, unsigned* out, int n) {  // inclusive, one block
  extern __shared__ unsigned buffer[];
  int from = 0, to = 1;
  const int t = threadIdx.x;
  buffer[to * n + t] = in[t];
  __syncthreads();
  for (int distance = 1; distance < n; distance <<= 1) {
    const int swapped = to;
    to = from;
    from = swapped;
    buffer[to * n + t] = t >= distance ? buffer[from * n + t] + buffer[from * n + t - distance] : buffer[from * n + t];
    __syncthreads();
  }
  out[t] = buffer[to * n + t];
}

template <int Size>  // a power of two; exclusive, two elements a thread
__global__ void tree(const unsigned* in, unsigned* out) {
  __shared__ unsigned sums[Size];
  const int t = threadIdx.x;
  int offset = 1;
  sums[2 * t] = in[2 * t];
  sums[2 * t + 1] = in[2 * t + 1];
  for (int d = Size >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d)
      sums[offset * (2 * t + 2) - 1] += sums[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0)
    sums[Size - 1] = 0;
  for (int d = 1; d < Size; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1;
      const unsigned kept = sums[a];
      sums[a] = sums[b];
      sums[b] += kept;
    }
  }
  __syncthreads();
  out[2 * t] = sums[2 * t];
  out[2 * t + 1] = sums[2 * t + 1];
}

__device__ unsigned warp_scan(unsigned value) {
  const int lane = threadIdx.x & 31;
  for (int d = 1; d < 32; d *= 2) {
    const unsigned below = __shfl_up_sync(~0u, value, d);
    if (lane >= d)
      value += below;
  }
  return value;
}

__global__ void carried(const unsigned* in, unsigned* out, int n) {  // inclusive; one block goes over all
  __shared__ unsigned of_warps[32];
  __shared__ unsigned carry;
  if (threadIdx.x == 0)
    carry = 0;
  __syncthreads();
  for (int start = 0; start < n; start += blockDim.x) {
    const int i = start + threadIdx.x, warp = threadIdx.x / 32;
    unsigned value = warp_scan(i < n ? in[i] : 0);
    if (threadIdx.x % 32 == 31)
      of_warps[warp] = value;
    __syncthreads();
    for (int w = 0; w < warp; ++w)
      value += of_warps[w];
    if (i < n)
      out[i] = value + carry;
    __syncthreads();
    if (threadIdx.x == blockDim.x - 1)
      carry += value;
    __syncthreads();
  }
}

int main() {
  const int n = 3001;
  std::vector<unsigned> in(n), out(n), sums(n + 1, 0);
  for (int i = 0; i < n; ++i) {
    in[i] = i * 2654435761u >> 20;
    sums[i + 1] = sums[i] + in[i];
  }
  unsigned *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(unsigned));
  cudaMalloc(&device_out, n * sizeof(unsigned));
  cudaMemcpy(device_in, in.data(), n * sizeof(unsigned), cudaMemcpyHostToDevice);
  auto differs = [&](int count, int first) {
    cudaMemcpy(out.data(), device_out, count * sizeof(unsigned), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i) {
      if (out[i] != sums[i + first])
        return true;
    }
    return false;
  };
  const char* wrong = nullptr;
  for (int size : {1, 7, 33, 250, 1024}) {
    two_buffers<<<1, size, 2 * size * sizeof(unsigned)>>>(device_in, device_out, size);
    if (differs(size, 1))
      wrong = "two buffers";
  }
  tree<128><<<1, 64>>>(device_in, device_out);
  if (differs(128, 0))
    wrong = "tree";
  for (int size : {32, 96, 1024}) {
    carried<<<1, size>>>(device_in, device_out, n);
    if (differs(n, 1))
      wrong = "carried";
  }
  cudaFree(device_in);
  cudaFree(device_out);
  std::printf(wrong ? "FAIL: %s\n" : "PASS\n", wrong);
  return wrong ? 1 : 0;
}
