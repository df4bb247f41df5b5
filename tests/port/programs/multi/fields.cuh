// What the two files of this program share: the size, a struct, device functions, and a kernel that b.cu defines.
#ifndef MULTI_FIELDS_CUH
#define MULTI_FIELDS_CUH

#include <cuda_runtime.h>

#define FIELD_SIZE 500
#define LAUNCH_ON(kernel, field, threads) kernel<<<((field).size + (threads) - 1) / (threads), threads>>>

struct Field {
  float* values;
  int size;
};

__host__ __device__ inline float ramp(int i) {
  return 0.25f * i - 3;
}

__device__ float weighted(float left, float centre, float right);  // a.cu; a kernel of b.cu calls it
__host__ __device__ float halved(float value);                     // b.cu; a kernel and the host code of a.cu call it
// b.cu; the kernel of a.cu calls them.
struct Scale {
  float factor;
  __host__ __device__ explicit Scale(float by);
  __device__ float operator()(float value) const;
};
__device__ float moved(float value);
__device__ float moved(float value, float by);
extern __global__ void smooth(Field in, Field out);

// Both files launch it with a function object of their own, in an anonymous namespace and of the same name.
template <class Change>
__global__ void change(Field field, Change by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < field.size) {
    field.values[i] = by(field.values[i]);
  }
}

void start(Field field);              // a.cu
void smooth_twice(Field a, Field b);  // b.cu
void lower(Field field);              // b.cu

#endif
