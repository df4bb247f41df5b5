// Variables of the device: __constant__ scalars, arrays and structs, __device__ variables, and copies to and from them with
// offsets.
#include <cstdio>

struct Physics {
  double gravity;
  int steps;
  float table[3];
};

__constant__ float coefficients[5];
__constant__ Physics physics;
__constant__ int offset = 11;  // with a first value
__device__ int counter = 5;
__device__ double field[33];
__device__ int matrix[3][4] = {{1, 2, 3, 4}, {5, 6}, {7}};
static __device__ unsigned total;
namespace inner {
__constant__ int limits[2] = {-4, 4};
}

__device__ float weighted(int i) {
  return coefficients[i % 5] * (i + 1);
}

__global__ void run(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 33)
    field[i] = field[i] * physics.gravity + physics.table[i % 3];
  if (i < 12)
    matrix[i / 4][i % 4] *= physics.steps;
  atomicAdd(&counter, 1);
  atomicAdd(&total, static_cast<unsigned>(i));
  if (i < n)
    out[i] = weighted(i) + offset + inner::limits[i & 1];
}

static int failed(const char* what) {
  std::printf("FAIL: %s\n", what);
  return 1;
}

int main() {
  const int n = 96 * 3 - 5;
  float* out;
  float host[n];
  cudaMalloc(&out, sizeof host);
  const float some[5] = {0.5f, 1, 2, 4, 8};
  const Physics earth = {9.5, 3, {1, 10, 100}};
  double zero_to_32[33];
  for (int i = 0; i < 33; ++i)
    zero_to_32[i] = i;
  cudaMemcpyToSymbol(coefficients, some, sizeof some);
  cudaMemcpyToSymbol(coefficients, some + 4, 2 * sizeof(float) - sizeof(float),
                     3 * sizeof(float));  // only the fourth, with an offset
  cudaMemcpyToSymbol(physics, &earth, sizeof(Physics), 0, cudaMemcpyHostToDevice);
  cudaMemcpyToSymbol(field, zero_to_32, sizeof zero_to_32);
  unsigned zero = 0;
  cudaMemcpyToSymbolAsync(total, &zero, sizeof zero, 0, cudaMemcpyHostToDevice, 0);
  run<<<3, 96>>>(out, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const float c = i % 5 == 3 ? 8 : some[i % 5];
    if (host[i] != c * (i + 1) + 11 + (i & 1 ? 4 : -4))
      return failed("constants");
  }
  int count = 0, cells[3][4], one = 0;
  cudaMemcpyFromSymbol(&count, counter, sizeof count);
  if (count != 5 + 3 * 96)
    return failed("counter");
  cudaMemcpyFromSymbol(cells, matrix, sizeof cells);
  const int expected[3][4] = {{3, 6, 9, 12}, {15, 18, 0, 0}, {21, 0, 0, 0}};
  for (int i = 0; i < 12; ++i) {
    if (cells[i / 4][i % 4] != expected[i / 4][i % 4])
      return failed("matrix");
  }
  cudaMemcpyFromSymbol(&one, matrix, sizeof one, 5 * sizeof(int), cudaMemcpyDeviceToHost);
  if (one != 18)
    return failed("offset of a copy back");
  double values[33];
  cudaMemcpyFromSymbol(values, field, sizeof values);
  for (int i = 0; i < 33; ++i) {
    if (values[i] != i * 9.5 + earth.table[i % 3])
      return failed("field");
  }
  unsigned sum = 0;
  cudaMemcpyFromSymbol(&sum, total, sizeof sum);
  if (sum != 288u * 287 / 2)
    return failed("static variable");
  void* address = nullptr;
  size_t size = 0;
  if (cudaGetSymbolAddress(&address, field) != cudaSuccess || cudaGetSymbolSize(&size, field) != cudaSuccess ||
      size != sizeof values) {
    return failed("cudaGetSymbolAddress");
  }
  cudaMemcpy(values, static_cast<double*>(address) + 32, sizeof(double), cudaMemcpyDeviceToHost);
  if (values[0] != 32 * 9.5 + earth.table[2])
    return failed("copy from the address of a symbol");
  if (cudaDeviceSynchronize() != cudaSuccess)
    return failed("synchronisation");
  std::printf("PASS\n");
  return 0;
}
