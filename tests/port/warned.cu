// Threads of a warp that exchange values by shared memory and rely on going in step.
#include <math.h>
#include <cuda.h>
inline __host__ __device__ float lerp(float a, float b, float t) { return a + t * (b - a); }  // C++'s since 2020, not CUDA's
__global__ void reversed(float* a) {
  __shared__ float s[32];
  s[threadIdx.x] = a[threadIdx.x];
  a[threadIdx.x] = lerp(s[31 - threadIdx.x], 1, 0);
}
