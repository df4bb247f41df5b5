// Kernel templates: type and number parameters, defaults, a specialisation, an explicit instantiation, deduced arguments.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

template <typename T>
__global__ void scale(T* data, T factor, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = data[i] * factor;
  }
}

template <>
__global__ void scale<short>(short* data, short factor, int n) {  // shorts: adds instead
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[i] = static_cast<short>(data[i] + factor);
  }
}

template __global__ void scale<double>(double*, double, int);

template <int Step, bool Reverse = false, typename Index = unsigned>
__global__ void fill(int* out, Index n) {
  const Index i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) {
    return;
  }
  if constexpr (Reverse) {
    out[n - 1 - i] = Step * static_cast<int>(i);
  } else {
    out[i] = Step * static_cast<int>(i);
  }
}

template <typename T>
bool scaled(T factor, T (*expected)(T, T)) {
  const int n = 333;
  std::vector<T> host(n);
  for (int i = 0; i < n; ++i) {
    host[i] = static_cast<T>(i);
  }
  T* device;
  cudaMalloc(&device, n * sizeof(T));
  cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  scale<T><<<(n + 32) / 33, 33>>>(device, factor, n);
  cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < n; ++i) {
    if (host[i] != expected(static_cast<T>(i), factor)) {
      return false;
    }
  }
  return true;
}

template <int Step, bool Reverse>
bool filled() {
  const unsigned n = 101;
  std::vector<int> host(n);
  int* device;
  cudaMalloc(&device, n * sizeof(int));
  fill<Step, Reverse><<<(n + 6) / 7, 7>>>(device, n);
  cudaMemcpy(host.data(), device, n * sizeof(int), cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned from = Reverse ? n - 1 - i : i;
    if (host[i] != Step * static_cast<int>(from)) {
      return false;
    }
  }
  return true;
}

int main() {
  const char* wrong = nullptr;
  if (!scaled<int>(3, [](int a, int b) { return a * b; })) {
    wrong = "scale<int>";
  } else if (!scaled<double>(0.5, [](double a, double b) { return a * b; })) {
    wrong = "scale<double>";
  } else if (!scaled<short>(7, [](short a, short b) { return static_cast<short>(a + b); })) {
    wrong = "scale<short>";
  } else if (!filled<5, false>() || !filled<-2, true>()) {
    wrong = "fill";
  }
  if (wrong != nullptr) {
    std::printf("FAIL: %s\n", wrong);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
