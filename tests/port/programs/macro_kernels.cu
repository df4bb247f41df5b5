// Kernels that macros make: names pasted together, in one step and in two, out of lists, within other macros, with the
// parameters, the body or the launch elsewhere; explicit instantiations.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int n = 33;

// A whole kernel, its device function and its host function, out of one list.
#define OPERATIONS(X) \
  X(add, +)           \
  X(multiply, *)
#define DEFINE_OPERATION(name, op)                                                                    \
  __device__ __forceinline__ float name##_value(float a, float b) {                                   \
    return a op b;                                                                                    \
  }                                                                                                   \
  __global__ void name##_kernel(const float* __restrict__ in, float* __restrict__ out, float value) { \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                              \
    if (i < n) {                                                                                      \
      out[i] = name##_value(in[i], value);                                                            \
    }                                                                                                 \
  }                                                                                                   \
  void name(const float* in, float* out, float value) {                                               \
    name##_kernel<<<(n + 7) / 8, 8>>>(in, out, value);                                                \
  }
OPERATIONS(DEFINE_OPERATION)

// Several pastes, an empty argument, a name through another macro, templates.
#define DEFINE_SHIFT(dim, T, suffix)                    \
  template <int Step>                                   \
  __global__ void shift_##dim##d_##T##suffix(T* data) { \
    data[threadIdx.x] += T(dim * Step);                 \
  }
#define DEFINE_SHIFTS(T) DEFINE_SHIFT(1, T, ) DEFINE_SHIFT(2, T, _again)
DEFINE_SHIFTS(float)
DEFINE_SHIFTS(int)
#define GLOBAL __global__
#define SCALE(what, op)                              \
  template <typename T>                              \
  GLOBAL void what##Scale(T* data, T factor) {       \
    data[threadIdx.x] = data[threadIdx.x] op factor; \
  }
SCALE(up, *)
SCALE(down, /)
#define INSTANTIATE(what, T) template GLOBAL void what##Scale<T>(T*, T);
INSTANTIATE(up, float)
INSTANTIATE(up, int)
INSTANTIATE(down, float)
template __global__ void __launch_bounds__(64) downScale<int>(int*, int);

// The name by a macro that pastes, in the text of a file; launch bounds by a macro.
#define CONCAT_TEXT(a, b) a##b
#define CONCAT(a, b) CONCAT_TEXT(a, b)
#define VERSIONED(name) CONCAT(name, _v2)
#define BOUNDED GLOBAL void __launch_bounds__(64)
BOUNDED VERSIONED(negate)(float* data) {
  data[threadIdx.x] = -data[threadIdx.x];
}
static __global__ void CONCAT(half, CONCAT(_, of))(float* data, int = 0) {
  data[threadIdx.x] /= 2;
}

// A macro that ends before the parameters, one that holds all of them, and some in others.
#define NAMED(name) GLOBAL void name
#define PREFIXED(name) GLOBAL void CONCAT(my_, name)
#define PARAMETERS float *data, int count
#define POINTER(T, name) T* name##_pointer
NAMED(increment)(float* data) {
  data[threadIdx.x] += 1;
}
PREFIXED(decrement)(PARAMETERS) {
  if (threadIdx.x < count) {
    data[threadIdx.x] -= 1;
  }
}
__global__ void through_pointer(POINTER(float, data), int count) {
  if (threadIdx.x < count) {
    data_pointer[threadIdx.x] *= 3;
  }
}
#define SIGNATURE(name) GLOBAL void name##_by_signature(float* data, const float* other)
SIGNATURE(sum) {
  data[threadIdx.x] += other[threadIdx.x];
}

// The body, or all of the kernel, as an argument; only one of the kernels of WITH_BODY has a barrier.
#define WITH_BODY(name, ...)                 \
  __global__ void name##_body(float* data) { \
    __VA_ARGS__                              \
  }
#define WITH_INNER_BODY(name, ...) WITH_BODY(inner_##name, __VA_ARGS__)
WITH_BODY(plain, data[threadIdx.x] += 5;)
WITH_INNER_BODY(reversed, __shared__ float row[n]; row[threadIdx.x] = data[threadIdx.x]; __syncthreads();
                data[threadIdx.x] = row[n - 1 - threadIdx.x];)
#define IN_NAMESPACE(name, ...) \
  namespace name {              \
  __VA_ARGS__                   \
  }
IN_NAMESPACE(
    inner, __global__ void squared(float* data, int count) {
      if (threadIdx.x < count) {
        data[threadIdx.x] *= data[threadIdx.x];
      }
    })

// Launches: the name, the arguments and the configuration by macros.
#define RUN(name, ...)                  \
  do {                                  \
    name##_body<<<1, n>>>(__VA_ARGS__); \
    std::printf("%s\n", #name "_body"); \
  } while (0)
#define ON_ONE_BLOCK(threads) <<<1, threads>>>
#define ARGUMENTS(which) d_##which, n
#define LAUNCH(kernel, which, config) kernel<<<grid_##config, threads_##config>>>(d_##which)

static int wrong = 0;

template <typename T, typename Expected>
void expect(const T* device, Expected expected, const char* what) {
  T host[n];
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != static_cast<T>(expected(i)) && ++wrong < 5) {
      std::printf("FAIL: %s at %d: %g\n", what, i, static_cast<double>(host[i]));
    }
  }
}

int main() {
  float first[n];
  int counts[n];
  for (int i = 0; i < n; ++i) {
    first[i] = counts[i] = i;
  }
  float *d_x, *d_y;
  int* d_counts;
  cudaMalloc(&d_x, sizeof first);
  cudaMalloc(&d_y, sizeof first);
  cudaMalloc(&d_counts, sizeof counts);
  cudaMemcpy(d_x, first, sizeof first, cudaMemcpyHostToDevice);
  cudaMemcpy(d_counts, counts, sizeof counts, cudaMemcpyHostToDevice);
  add(d_x, d_y, 2);
  multiply(d_y, d_x, 4);
  expect(d_x, [](int i) { return 4 * (i + 2); }, "operations");
  shift_1d_float<1><<<1, n>>>(d_x);
  shift_2d_float_again<3><<<1, n>>>(d_x);
  shift_2d_int_again<-2><<<1, n>>>(d_counts);
  expect(d_x, [](int i) { return 4 * i + 15; }, "shifts");
  expect(d_counts, [](int i) { return i - 4; }, "shifts of int");
  upScale<<<1, n>>>(d_x, 4.0f);
  downScale<float><<<1, n>>>(d_x, 2.0f);
  upScale<<<1, n>>>(d_counts, 3);
  expect(d_counts, [](int i) { return 3 * (i - 4); }, "scaled int");
  const dim3 grid_one(1);
  const int threads_one = n;
  LAUNCH(VERSIONED(negate), x, one);
  half_of<<<1, n>>>(d_x);
  expect(d_x, [](int i) { return -(4 * i + 15); }, "names by macros");
  increment ON_ONE_BLOCK(n)(d_x);
  my_decrement ON_ONE_BLOCK(n)(ARGUMENTS(x));
  through_pointer<<<1, n>>>(ARGUMENTS(x));
  sum_by_signature<<<1, n>>>(d_x, d_y);
  expect(d_x, [](int i) { return -3 * (4 * i + 15) + i + 2; }, "parameters by macros");
  RUN(plain, d_y);
  RUN(inner_reversed, d_y);
  inner::squared<<<1, n>>>(ARGUMENTS(y));
  expect(d_y, [](int i) { return (n - i + 6) * (n - i + 6); }, "bodies as arguments");
  cudaFree(d_x);
  cudaFree(d_y);
  cudaFree(d_counts);
  std::printf(wrong != 0 ? "FAIL\n" : "PASS\n");
  return wrong;
}
