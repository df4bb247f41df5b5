// First of two files: the main program, a static kernel, and launches of a kernel of the other file.
#include <cstdio>

#include "fields.cuh"

__device__ float weighted(float left, float centre, float right) { return left + 2 * centre + right; }

extern __device__ float raised(float value);  // b.cu, without a header

static __global__ void initialise(Field field) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < field.size) {
    field.values[i] = moved(moved(Scale(0.5f)(2 * halved(raised(2 * ramp(i * i % 37)))), -4));
  }
}

namespace {
struct Shift {
  __device__ float operator()(float value) const { return value + 1; }
};
}  // namespace

void start(Field field) {
  initialise<<<(field.size + 95) / 96, 96>>>(field);
  LAUNCH_ON(change, field, 64)(field, Shift());
}

static void smooth_on_host(const float* in, float* out) {
  for (int i = 0; i < FIELD_SIZE; ++i) {
    const float left = i > 0 ? in[i - 1] : 0, right = i + 1 < FIELD_SIZE ? in[i + 1] : 0;
    out[i] = left + 2 * in[i] + right;
  }
}

int main() {
  Field a = {nullptr, FIELD_SIZE}, b = {nullptr, FIELD_SIZE};
  cudaMalloc(&a.values, FIELD_SIZE * sizeof(float));
  cudaMalloc(&b.values, FIELD_SIZE * sizeof(float));
  start(a);
  lower(a);
  smooth_twice(a, b);
  smooth<<<(FIELD_SIZE + 32) / 33, 33>>>(a, b);
  static float result[FIELD_SIZE], x[FIELD_SIZE], y[FIELD_SIZE];
  cudaMemcpy(result, b.values, sizeof result, cudaMemcpyDeviceToHost);
  cudaFree(a.values);
  cudaFree(b.values);
  for (int i = 0; i < FIELD_SIZE; ++i) {
    x[i] = halved(2 * ramp(i * i % 37) + 1) + 1 - 3;
  }
  smooth_on_host(x, y);
  smooth_on_host(y, x);
  smooth_on_host(x, y);
  for (int i = 0; i < FIELD_SIZE; ++i) {
    if (result[i] != y[i]) {
      std::printf("FAIL: element %d is %f, not %f\n", i, result[i], y[i]);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
