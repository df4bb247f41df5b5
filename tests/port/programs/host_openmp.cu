// A program with OpenMP of its own on the host: parallel loops, a reduction, and host threads that launch kernels in their own
// streams.
#include <cstdio>
#include <vector>
#ifdef _OPENMP
#include <omp.h>
#endif

__global__ void scale(double* data, double factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    data[i] *= factor;
}

int main() {
  const int n = 5003, parts = 4;
  std::vector<double> host(n);
#pragma omp parallel for schedule(static)
  for (int i = 0; i < n; ++i) {
    host[i] = i * 0.5;
  }
  double* device;
  cudaMalloc(&device, n * sizeof(double));
  cudaMemcpy(device, host.data(), n * sizeof(double), cudaMemcpyHostToDevice);
  scale<<<(n + 249) / 250, 250>>>(device, 4, n);
  cudaDeviceSynchronize();

  int failures = 0;
#pragma omp parallel for reduction(+ : failures) num_threads(2)
  for (int part = 0; part < parts; ++part) {
    const int begin = n * part / parts, end = n * (part + 1) / parts;
    cudaStream_t stream;
    failures += cudaStreamCreate(&stream) != cudaSuccess;
    scale<<<(end - begin + 32) / 33, 33, 0, stream>>>(device + begin, part + 1, end - begin);
    failures += cudaGetLastError() != cudaSuccess;
    failures += cudaStreamSynchronize(stream) != cudaSuccess;
    failures += cudaStreamDestroy(stream) != cudaSuccess;
  }
  cudaMemcpy(host.data(), device, n * sizeof(double), cudaMemcpyDeviceToHost);
  cudaFree(device);
  int wrong = 0;
#pragma omp parallel for reduction(+ : wrong)
  for (int i = 0; i < n; ++i) {
    int part = 0;
    while (i >= n * (part + 1) / parts)
      ++part;
    wrong += host[i] != i * 2.0 * (part + 1);
  }
  if (failures != 0 || wrong != 0) {
    std::printf("FAIL: %d calls, %d elements\n", failures, wrong);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
