// Names that CUDA sources define and C++20's library has too, and a header that hosts' code needs: std::lerp is no global name, and
// <complex> may be included.
#include <complex>
#include <cstdio>

inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }

__global__ void blend(float *a, float t) {
  const int i = threadIdx.x;
  a[i] = lerp(a[i], 10.0f, t) + sqrtf(sqrt(16.0f));
}

int main() {
  constexpr int n = 32;
  float host[n];
  for (int i = 0; i < n; ++i) {
    host[i] = static_cast<float>(i);
  }
  float *a;
  cudaMalloc(&a, sizeof host);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  blend<<<1, n>>>(a, 0.5f);
  cudaMemcpy(host, a, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(a);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const std::complex<float> z(host[i], 0.0f);
    wrong += std::abs(z - (0.5f * static_cast<float>(i) + 7.0f)) > 1e-6f;
  }
  printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
