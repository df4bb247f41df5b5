// Variables of the device and of blocks that macros declare: names pasted together, words and semicolons in the macro or after
// it; a source that is included twice with other macros.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int n = 65;

#define CONSTANT(T, name, count) __constant__ T name[count]
#define COUNTER(name) __device__ unsigned int name##_count = 0
#define LOCAL_COUNTER(name) static __device__ unsigned int name##_count = 0;
#define PAIR_OF(T, name)    \
  __device__ T d_##name[n]; \
  __constant__ T c_##name;
CONSTANT(float, weights, 4);
COUNTER(even);
LOCAL_COUNTER(odd)
CONSTANT(int, offsets, 4);  // used as weights are
PAIR_OF(float, first)
PAIR_OF(int, second)

#define SHARED __shared__
#define SHARED_ROW(T, name, count) __shared__ T name[count]
#define SHARED_ROWS(T, name)    \
  __shared__ T name##_lower[n]; \
  __shared__ T name##_upper[n + 1];
#define SHARED_REST(T, name) extern __shared__ T name[]

#define DEFINE_USE(T, name)              \
  __global__ void use_##name(T* data) {  \
    __shared__ T row_##name[n];          \
    const int i = threadIdx.x;           \
    row_##name[i] = data[i] + c_##name;  \
    __syncthreads();                     \
    d_##name[i] = row_##name[n - 1 - i]; \
    data[i] = d_##name[i];               \
  }
DEFINE_USE(float, first)
DEFINE_USE(int, second)

__global__ void count(float* data) {
  const int i = threadIdx.x;
  data[i] += weights[i % 4] + offsets[1];
  if (i % 2 == 0) {
    atomicAdd(&even_count, 1u);
  } else {
    atomicAdd(&odd_count, 1u);
  }
}

__global__ void rows(float* data) {
  SHARED float plain[n];
  SHARED_ROW(float, by_macro, n);
  SHARED_ROWS(float, two)
  SHARED_REST(float, rest);
  const int i = threadIdx.x;
  plain[i] = data[i];
  by_macro[i] = 2 * data[i];
  two_lower[i] = 3 * data[i];
  two_upper[i + 1] = 4 * data[i];
  rest[i] = 5 * data[i];
  __syncthreads();
  const int j = n - 1 - i;
  data[i] = plain[j] + by_macro[j] + two_lower[j] + two_upper[j + 1] + rest[j];
}

#define CONCAT_TEXT(a, b) a##b
#define CONCAT(a, b) CONCAT_TEXT(a, b)
#define NAME lift
#define ELEMENT float
#define OPERATION +
#include "macro_kernel.cuh"
#undef NAME
#undef ELEMENT
#undef OPERATION
#define NAME stretch
#define ELEMENT int
#define OPERATION *
#include "macro_kernel.cuh"

template <typename T>
T* on_device() {
  T host[n], *device;
  for (int i = 0; i < n; ++i) {
    host[i] = static_cast<T>(i);
  }
  cudaMalloc(&device, sizeof host);
  cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
  return device;
}

static int wrong = 0;

template <typename T, typename Expected>
void expect(T* device, Expected expected, const char* what) {
  T host[n];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < n; ++i) {
    if (host[i] != static_cast<T>(expected(i)) && ++wrong < 5) {
      std::printf("FAIL: %s at %d: %g\n", what, i, static_cast<double>(host[i]));
    }
  }
}

int main() {
  const float host_weights[4] = {1, 2, 3, 4};
  const int host_offsets[4] = {10, 20, 30, 40};
  const float to_first = 5;
  const int to_second = 7;
  cudaMemcpyToSymbol(weights, host_weights, sizeof host_weights);
  cudaMemcpyToSymbol(offsets, host_offsets, sizeof host_offsets);
  cudaMemcpyToSymbol(c_first, &to_first, sizeof to_first);
  cudaMemcpyToSymbol(c_second, &to_second, sizeof to_second);

  float* data = on_device<float>();
  count<<<1, n>>>(data);
  unsigned int even = 0, odd = 0;
  cudaMemcpyFromSymbol(&even, even_count, sizeof even);
  cudaMemcpyFromSymbol(&odd, odd_count, sizeof odd);
  if (even != n / 2 + 1 || odd != n / 2) {
    ++wrong;
    std::printf("FAIL: %u even, %u odd\n", even, odd);
  }
  expect(data, [](int i) { return i + 21 + i % 4; }, "count");
  use_first<<<1, n>>>(data = on_device<float>());
  expect(data, [](int i) { return n - 1 - i + 5; }, "use_first");
  int* integers = on_device<int>();
  use_second<<<1, n>>>(integers);
  expect(integers, [](int i) { return n - 1 - i + 7; }, "use_second");
  rows<<<1, n, n * sizeof(float)>>>(data = on_device<float>());
  expect(data, [](int i) { return 15 * (n - 1 - i); }, "rows");
  run_lift(data = on_device<float>());
  expect(data, [](int i) { return i + 3; }, "lift");
  run_stretch(integers = on_device<int>());
  expect(integers, [](int i) { return 3 * i; }, "stretch");
  std::printf(wrong != 0 ? "FAIL\n" : "PASS\n");
  return wrong;
}
