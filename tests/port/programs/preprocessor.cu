// Branches of the preprocessor: __CUDACC__, __CUDA_ARCH__, inactive device code, kernels out of macros, includes in a branch.
#ifdef __CUDACC__
#include <cuda_runtime.h>
#define BOTH __host__ __device__
#define KERNEL __global__ void
#else
#define BOTH
#error "this is a CUDA program"
#endif
#include <cstdio>

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 500
#error "too old"
#endif

#if 0
__global__ void never(int* out) { this is not code<<<1, 2>>>(out); }
#endif

#define GLOBAL_INDEX (blockIdx.x * blockDim.x + threadIdx.x)
#define FOR_EACH(i, n) for (int i = GLOBAL_INDEX; i < (n); i += gridDim.x * blockDim.x)
#define DEFINE_KERNEL(name, expression) \
  KERNEL name(int* out, int n) {        \
    FOR_EACH(i, n) {                    \
      out[i] = (expression);            \
    }                                   \
  }

BOTH inline int side() {
#ifdef __CUDA_ARCH__
  return 1;
#else
  return 2;
#endif
}

BOTH inline int architecture() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600
  return 10;
#elif defined(__CUDA_ARCH__)
  return 20;
#else
  return 30;
#endif
}

DEFINE_KERNEL(squares, i* i)
DEFINE_KERNEL(sides, side() + architecture())

#ifdef UNDEFINED_FEATURE
DEFINE_KERNEL(missing, unknown_function(i))
#endif

KERNEL with_barrier(int* out, int n) {
#ifdef NO_SUCH_OPTION
  __shared__ int row[1];
#else
  __shared__ int row[33];
#endif
#define SYNC __syncthreads()
  row[threadIdx.x] = threadIdx.x;
  SYNC;
  FOR_EACH(i, n) {
    out[i] = row[32 - threadIdx.x];
  }
}

int main() {
  const int n = 250;
  int host[n], *out;
  cudaMalloc(&out, sizeof host);
  const char* wrong = nullptr;
  squares<<<2, 33>>>(out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != i * i)
      wrong = "squares";
  }
  sides<<<7, 33>>>(out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != 11)
      wrong = "the branch of the device";
  }
  with_barrier<<<7, 33>>>(out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != 32 - i % 33)
      wrong = "with_barrier";
  }
  cudaFree(out);
  std::printf(wrong ? "FAIL: %s\n" : "PASS\n", wrong);
  return wrong ? 1 : 0;
}
