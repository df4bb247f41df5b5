// Kernels launched by cudaLaunchKernelEx, with a configuration in a structure, and by cudaLaunchKernelExC.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(...)                                                                      \
  do {                                                                                  \
    const cudaError_t status = (__VA_ARGS__);                                           \
    if (status != cudaSuccess) {                                                        \
      std::printf("FAIL: line %d: %s\n", __LINE__, cudaGetErrorString(status)); \
      return 1;                                                                         \
    }                                                                                   \
  } while (0)

struct Line {
  float slope, start;
};

__global__ void along(const float *x, double *y, int n, const Line line) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = line.slope * x[i] + line.start;
}

template <typename T, int Factor>
__global__ void scaled(T *y, int n) {
  extern __shared__ double row[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  row[threadIdx.x] = i < n ? y[i] : 0;
  __syncthreads();
  if (i < n) y[i] = static_cast<T>(Factor * row[threadIdx.x]);
}

__global__ void nothing() {}

template <typename T>
cudaError_t doubled(T *y, int n, const cudaLaunchConfig_t &config) {
  return cudaLaunchKernelEx(&config, scaled<T, 2>, y, n);
}

// A kernel's pointer whose types a template deduces.
template <typename... Parameters, typename... Arguments>
cudaError_t launch(const cudaLaunchConfig_t &config, void (*kernel)(Parameters...), Arguments &&...arguments) {
  return cudaLaunchKernelEx(&config, kernel, static_cast<Arguments &&>(arguments)...);
}

int main() {
  const int n = 1001;
  std::vector<float> x(n);
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i) x[i] = 0.5f * i;
  float *d_x;
  double *d_y;
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_y, n * sizeof(double)));
  CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));

  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[0].val.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = cudaLaunchAttributePriority;
  attributes[1].val.priority = 0;
  cudaLaunchConfig_t config = {0};
  config.gridDim = dim3((n + 95) / 96);
  config.blockDim = 96;
  CHECK(cudaStreamCreate(&config.stream));
  config.attrs = attributes;
  config.numAttrs = 2;
  CHECK(cudaLaunchKernelEx(&config, along, d_x, d_y, n, Line{3, -1}));
  config.numAttrs = 0;
  config.dynamicSmemBytes = 96 * sizeof(double);
  CHECK(doubled(d_y, n, config));
  CHECK(launch(config, scaled<double, 5>, d_y, short(n)));
  void (*const pointer)(double *, int) = &scaled<double, 7>;
  CHECK(cudaLaunchKernelEx(&config, pointer, d_y, n));
  const auto deduced = scaled<double, 11>;
  CHECK(cudaLaunchKernelEx(&config, deduced, d_y, n));
  CHECK(cudaLaunchKernelEx(&config, nothing));
  int count = n;
  void *arguments[] = {&d_y, &count};
  CHECK(cudaLaunchKernelExC(&config, (const void *)scaled<double, 13>, arguments));
  CHECK(cudaLaunchKernelExC(&config, (void *)pointer, arguments));
  CHECK(cudaStreamSynchronize(config.stream));
  CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(double), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i) {
    if (y[i] != 2. * 5 * 7 * 11 * 13 * 7 * (3.0 * x[i] - 1)) {
      std::printf("FAIL: element %d is %g\n", i, y[i]);
      return 1;
    }
  }
  config.blockDim = 4096;
  if (cudaLaunchKernelEx(&config, nothing) != cudaErrorInvalidConfiguration || cudaGetLastError() != cudaErrorInvalidConfiguration) {
    std::printf("FAIL: 4096 threads are too many\n");
    return 1;
  }
  CHECK(cudaStreamDestroy(config.stream));
  std::printf("PASS\n");
}
