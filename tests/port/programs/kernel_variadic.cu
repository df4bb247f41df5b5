// Variadic kernel templates: a fold over a pack of pointers, and a functor with a pack of arguments.
#include <cstdio>
#include <vector>

template <typename... Sources>
__global__ void add_all(long long* out, int n, Sources... sources) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = (static_cast<long long>(sources[i]) + ... + 0);
  }
}

template <typename Function, typename... Arguments>
__global__ void apply(long long* out, int n, Function function, Arguments... arguments) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = function(i, arguments...);
  }
}

struct Polynomial {
  template <typename... T>
  __device__ long long operator()(int x, T... coefficients) const {
    long long sum = 0;
    const long long list[] = {static_cast<long long>(coefficients)...};
    for (const long long coefficient : list) {
      sum = sum * x + coefficient;
    }
    return sum;
  }
};

int main() {
  const int n = 250;
  std::vector<int> a(n);
  std::vector<short> b(n);
  std::vector<long long> result(n);
  for (int i = 0; i < n; ++i) {
    a[i] = 3 * i;
    b[i] = static_cast<short>(100 - i);
  }
  int* device_a;
  short* device_b;
  long long* device_result;
  cudaMalloc(&device_a, n * sizeof(int));
  cudaMalloc(&device_b, n * sizeof(short));
  cudaMalloc(&device_result, n * sizeof(long long));
  cudaMemcpy(device_a, a.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.data(), n * sizeof(short), cudaMemcpyHostToDevice);

  const char* wrong = nullptr;
  add_all<<<3, 96>>>(device_result, n, device_a, device_b, device_a);
  cudaMemcpy(result.data(), device_result, n * sizeof(long long), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (result[i] != 2LL * a[i] + b[i]) {
      wrong = "add_all of three";
    }
  }
  add_all<<<3, 96>>>(device_result, n);
  cudaMemcpy(result.data(), device_result, n * sizeof(long long), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (result[i] != 0) {
      wrong = "add_all of none";
    }
  }
  apply<<<36, 7>>>(device_result, n, Polynomial(), 2, 5L, short(7));
  cudaMemcpy(result.data(), device_result, n * sizeof(long long), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (result[i] != 2LL * i * i + 5LL * i + 7) {
      wrong = "apply";
    }
  }
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_result);
  if (wrong != nullptr) {
    std::printf("FAIL: %s\n", wrong);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
