// Second of two files: the kernel that both launch, and a static kernel whose name the other file uses too.
#include "fields.cuh"

static __global__ void initialise(Field field) {  // another one than that of a.cu
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < field.size) {
    field.values[i] = -1;
  }
}

__host__ __device__ float halved(float value) { return value / 2; }

__device__ float raised(float value) { return value + 1; }

__host__ __device__ Scale::Scale(float by) : factor(by) {}

__device__ float Scale::operator()(float value) const { return factor * value; }

__device__ float moved(float value) { return value + 4; }
__device__ float moved(float value, float by) { return value + by; }

__global__ void smooth(Field in, Field out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= in.size) {
    return;
  }
  const float left = i > 0 ? in.values[i - 1] : 0;
  const float right = i + 1 < in.size ? in.values[i + 1] : 0;
  out.values[i] = weighted(left, in.values[i], right);
}

namespace {
struct Shift {  // another one than that of a.cu
  __device__ float operator()(float value) const { return value - 3; }
};
}  // namespace

void lower(Field field) { LAUNCH_ON(change, field, 64)(field, Shift()); }

void smooth_twice(Field a, Field b) {
  initialise<<<2, 250>>>(b);
  smooth<<<2, 250>>>(a, b);
  smooth<<<72, 7>>>(b, a);
}
