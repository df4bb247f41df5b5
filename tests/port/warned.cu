// Threads of a warp that exchange values by shared memory and rely on going in step.
#include <math.h>
#include <cuda.h>
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }  // C++'s since 2020, not CUDA's
__global__ void reversed(float* a) {
  __shared__ float s[32];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = lerp(s[31 - threadIdx.x], 1, 0);
}
__device__ void add_in_step(volatile float* s, int i) {
  s[i] += s[i + 16];
  s[i] += s[i + 8];
}
__global__ void summed(float* a) {
  __shared__ float s[64];
  s[threadIdx.x] = a[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 32) add_in_step(s, threadIdx.x);
  a[threadIdx.x] = s[0];
}
__global__ void squared(float* a) {
  extern __shared__ float unused[];
  a[threadIdx.x] *= a[threadIdx.x];
}
__global__ void kept(float* a) {
  __shared__ float own[32];
  own[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] += own[threadIdx.x];
}
