// Half precision: conversions, arithmetic by operators and functions, comparisons, pairs, a sum of pairs, and host conversions.
#include <cuda_fp16.h>

#include <cstdio>

__global__ void run(const __half* a, const half* b, half* out, float* floats, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const half x = a[i], y = b[i];
  half* o = out + 8 * i;
  o[0] = x + y;
  o[1] = __hsub(x, y);
  o[2] = __hmul(x, y);
  o[3] = __hfma(x, y, __float2half(0.5f));
  o[4] = __hlt(x, y) ? __hneg(x) : y;
  o[5] = x >= y ? __int2half_rn(1) : half(0.0f);
  const __half2 pair = __halves2half2(x, y), other = __float2half2_rn(2.0f);
  const half2 sum = __hadd2(pair, other), product = __hmul2(pair, other);
  o[6] = __low2half(sum) + __high2half(product);
  const float2 both = __half22float2(__hfma2(pair, other, other));
  o[7] = __float2half_rn(both.x - both.y);
  floats[i] = __half2float(x) * 3 + __half2float(hsqrt(__hmul(x, x)));
}

__global__ void pair_sum(const half2* in, float* result, int n) {
  __shared__ float sums[96];
  float mine = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    const float2 pair = __half22float2(in[i]);
    mine += pair.x + pair.y;
  }
  sums[threadIdx.x] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int t = 0; t < blockDim.x; ++t)
      sum += sums[t];
    *result = sum;
  }
}

int main() {
  const int n = 250;
  half a[n], b[n], out[8 * n], *device_a, *device_b, *device_out;
  float floats[n], sum, *device_floats, *device_sum, expected_sum = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = __float2half((i - 100) * 0.25f);  // exact, and so are the results
    b[i] = __float2half(static_cast<float>(i % 9 - 4));
    expected_sum += (i - 100) * 0.25f;
  }
  cudaMalloc(&device_a, sizeof a);
  cudaMalloc(&device_b, sizeof b);
  cudaMalloc(&device_out, sizeof out);
  cudaMalloc(&device_floats, sizeof floats);
  cudaMalloc(&device_sum, sizeof sum);
  cudaMemcpy(device_a, a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof b, cudaMemcpyHostToDevice);
  run<<<(n + 32) / 33, 33>>>(device_a, device_b, device_out, device_floats, n);
  pair_sum<<<1, 96>>>(reinterpret_cast<half2*>(device_a), device_sum, n / 2);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(floats, device_floats, sizeof floats, cudaMemcpyDeviceToHost);
  cudaMemcpy(&sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const float x = (i - 100) * 0.25f, y = static_cast<float>(i % 9 - 4);
    const float expected[8] = {x + y,         x - y,        x * y, x * y + 0.5f, x < y ? -x : y, x >= y ? 1.0f : 0.0f,
                               x + 2 + 2 * y, 2 * x - 2 * y};
    for (int k = 0; k < 8; ++k) {
      if (__half2float(out[8 * i + k]) != expected[k]) {
        std::printf("FAIL: value %d of element %d is %g, not %g\n", k, i, __half2float(out[8 * i + k]), expected[k]);
        return 1;
      }
    }
    if (floats[i] != 3 * x + (x < 0 ? -x : x)) {
      std::printf("FAIL: float of element %d\n", i);
      return 1;
    }
  }
  if (sum != expected_sum || __half2float(__float2half(2049.0f)) != 2048 || __half2float(__float2half(1e6f)) < 1e6f) {
    std::printf("FAIL: sum %g, rounding, or infinity\n", sum);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
