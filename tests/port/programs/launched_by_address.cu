// Kernels launched by cudaLaunchKernel, with the addresses of their arguments.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

#define CHECK(call)                                                     \
  do {                                                                  \
    const cudaError_t error = (call);                                   \
    if (error != cudaSuccess) {                                         \
      printf("FAIL: %s: %s\n", #call, cudaGetErrorName(error));         \
      return 1;                                                         \
    }                                                                   \
  } while (0)

struct Line {
  double slope, offset;
};

__global__ void along(const float *x, double *y, int n, Line line) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    y[i] = line.slope * x[i] + line.offset;
}

template <class T, int factor>
__global__ void scaled(T *__restrict__ y, const int n) {
  extern __shared__ unsigned char raw[];
  T *const shared = reinterpret_cast<T *>(raw);
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  shared[threadIdx.x] = i < n ? y[i] : T(0);
  __syncthreads();
  if (i < n)
    y[i] = factor * shared[threadIdx.x];
}

__global__ void nothing() {}

/// As libraries launch whatever they are given.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, std::size_t bytes, Arguments... arguments) {
  void *addresses[] = {(void *)&arguments...};
  return cudaLaunchKernel((const void *)kernel, grid, block, addresses, bytes, 0);
}

template <class T>
cudaError_t double_it(T *y, int n, int block, cudaStream_t stream) {
  void *arguments[] = {&y, &n};
  return cudaLaunchKernel(reinterpret_cast<const void *>(&scaled<T, 2>), (n + block - 1) / block, block, arguments,
                          block * sizeof(T), stream);
}

int main() {
  const int block = 96;
  int n = 1001;
  std::vector<float> x(n);
  std::vector<double> y(n);
  for (int i = 0; i < n; ++i)
    x[i] = i * 0.25f;
  float *d_x;
  double *d_y;
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaMalloc(&d_x, n * sizeof(float)));
  CHECK(cudaMalloc(&d_y, n * sizeof(double)));
  CHECK(cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice));
  Line line{3, -1};
  void *arguments[] = {&d_x, &d_y, &n, (void *)&line};
  const dim3 blocks((n + block - 1) / block);
  CHECK(cudaLaunchKernel((void *)along, blocks, dim3(block), arguments, 0, stream));
  CHECK(double_it(d_y, n, block, stream));
  void (*const pointer)(double *, const int) = scaled<double, 5>;
  void *more[] = {&d_y, &n};
  CHECK(cudaLaunchKernel((const void *)(pointer), blocks, block, more, block * sizeof(double), stream));
  CHECK(cudaLaunchKernel((void *)scaled<double, 7>, blocks, block, more, block * sizeof(double), stream));
  CHECK(launch(scaled<double, 11>, blocks, block, block * sizeof(double), d_y, n));
  CHECK(cudaLaunchKernel(nothing, 1, 1, nullptr));
  CHECK(cudaStreamSynchronize(stream));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(y.data(), d_y, n * sizeof(double), cudaMemcpyDeviceToHost));
  for (int i = 0; i < n; ++i)
    if (y[i] != 2 * 5 * 7 * 11 * (3.0 * x[i] - 1)) {
      printf("FAIL: element %d is %g\n", i, y[i]);
      return 1;
    }
  if (cudaLaunchKernel(nothing, 1, 4096, nullptr) != cudaErrorInvalidConfiguration) {
    printf("FAIL: 4096 threads are too many\n");
    return 1;
  }
  printf("PASS\n");
}
