// bfloat16: conversions with rounding to even, arithmetic, comparisons and pairs.
#include <cuda_bf16.h>

#include <cstdio>
#include <cstring>

__global__ void run(const float* in, __nv_bfloat16* out, float* floats, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const __nv_bfloat16 x = __float2bfloat16(in[i]), y = __float2bfloat16(static_cast<float>(i % 7 - 3));
  out[4 * i] = x;
  out[4 * i + 1] = __hadd(x, y);
  out[4 * i + 2] = __hmul(x, y);
  out[4 * i + 3] = __hgt(x, y) ? x - y : y - x;
  const __nv_bfloat162 pair = __halves2bfloat162(x, y), two = __float2bfloat162_rn(2.0f);
  const float2 both = __bfloat1622float2(__hmul2(pair, two));
  floats[i] = both.x + 1000 * both.y;
}

static float rounded(float value) {  // to the nearest bfloat16, ties to even
  unsigned bits;
  std::memcpy(&bits, &value, sizeof bits);
  bits = (bits + 0x7fff + (bits >> 16 & 1)) & 0xffff0000u;
  std::memcpy(&value, &bits, sizeof bits);
  return value;
}

int main() {
  const int n = 301;
  float in[n], floats[n], *device_in, *device_floats;
  __nv_bfloat16 out[4 * n], *device_out;
  for (int i = 0; i < n; ++i)
    in[i] = (i - 150) * 1.2345f;
  in[0] = 1.00390625f;  // a tie: to 1
  in[1] = 1.01171875f;  // a tie: to 1.015625
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  cudaMalloc(&device_floats, sizeof floats);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  run<<<(n + 6) / 7, 7>>>(device_in, device_out, device_floats, n);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(floats, device_floats, sizeof floats, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const float x = rounded(in[i]), y = static_cast<float>(i % 7 - 3);
    const float expected[4] = {x, rounded(x + y), rounded(x * y), rounded(x > y ? x - y : y - x)};
    for (int k = 0; k < 4; ++k) {
      if (__bfloat162float(out[4 * i + k]) != expected[k]) {
        std::printf("FAIL: value %d of element %d is %g, not %g\n", k, i, __bfloat162float(out[4 * i + k]), expected[k]);
        return 1;
      }
    }
    if (floats[i] != 2 * x + 1000 * (2 * y)) {
      std::printf("FAIL: pair %d\n", i);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
