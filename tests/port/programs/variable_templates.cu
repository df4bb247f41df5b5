// Templates of device variables: one for each type that a program uses, by kernels and by copies to symbols.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

struct Pair {
  int first;
  int second;
};

constexpr int width = 5;

template <typename T>
__constant__ T mask[width];

namespace inner {
template <typename T, int N> __device__ T total;  // of N numbers
}

template <typename T>
__global__ void weighted(const T *in, T *out, int n) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  T sum = 0;
  for (int j = 0; j < width; ++j) sum += i + j < n ? in[i + j] * mask<T>[j] : 0;
  out[i] = sum;
}

template <typename T, int N>
__global__ void add(const T *in) {
  if (threadIdx.x == 0) {
    for (int i = 0; i < N; ++i) inner::total<T, N> += in[i];
  }
}

__global__ void swap_pair() {
  const Pair pair = mask<Pair>[0];
  mask<Pair>[1] = {pair.second, pair.first};
}

template <typename T>
int run() {
  constexpr int n = 100;
  T in[n], out[n], weights[width];
  for (int i = 0; i < n; ++i) in[i] = static_cast<T>(i % 7);
  for (int j = 0; j < width; ++j) weights[j] = static_cast<T>(j + 1);
  T *d_in, *d_out;
  cudaMalloc(&d_in, sizeof in);
  cudaMalloc(&d_out, sizeof out);
  cudaMemcpy(d_in, in, sizeof in, cudaMemcpyHostToDevice);
  if (cudaMemcpyToSymbol(mask<T>, weights, sizeof weights) != cudaSuccess) return 1;
  weighted<T><<<4, 32>>>(d_in, d_out, n);
  add<T, n><<<1, 32>>>(d_in);
  add<T, 10><<<1, 32>>>(d_in);
  if (cudaMemcpy(out, d_out, sizeof out, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    T sum = 0;
    for (int j = 0; j < width; ++j) sum += i + j < n ? in[i + j] * weights[j] : 0;
    wrong += sum != out[i];
  }
  T all = -1, some = -1, expected = 0;
  for (int i = 0; i < n; ++i) expected += in[i];
  cudaMemcpyFromSymbol(&all, inner::total<T, n>, sizeof all);
  cudaMemcpyFromSymbol(&some, inner::total<T, 10>, sizeof some);
  cudaFree(d_in);
  cudaFree(d_out);
  return wrong + (all != expected) + (some != 24);
}

int main() {
  int wrong = run<float>() + run<double>() + run<std::int16_t>();
  Pair pairs[width] = {{3, 4}};
  cudaMemcpyToSymbol(mask<Pair>, pairs, sizeof pairs);
  swap_pair<<<1, 1>>>();
  cudaMemcpyFromSymbol(pairs, mask<Pair>, sizeof pairs);
  wrong += pairs[1].first != 4 || pairs[1].second != 3;
  std::printf(wrong == 0 ? "PASS\n" : "FAIL: %d\n", wrong);
  return wrong != 0;
}
