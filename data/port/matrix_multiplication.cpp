// Multiplies two matrices through tiles in shared memory. Prints the largest error against the host, `Error: 0`.
//
//   matrix_multiplication [N]     matrices of N x N numbers, 200 unless told otherwise
//
// A plain kernel would read each number of A and B N times from global memory. Here the threads of a block read a tile of each
// matrix once into memory that they share, use it TILE times, and go on to the next pair of tiles.
#include "phpc/cuda/cuda.hpp"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define TILE 16

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      return 1;                                                                           \
    }                                                                                     \
  } while (0)

// C = A B for matrices of n x n numbers, row after row. A block computes one tile of C, a thread one number of it.
PHPC_KERNEL void multiply_thread(PHPC_THREAD, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) {
  auto &tile_a = PHPC_SHARED(float[TILE][TILE]);
  auto &tile_b = PHPC_SHARED(float[TILE][TILE]);
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < n; start += TILE) {
    // Each thread brings one number of each tile, or zero beyond the matrix's edge.
    const int a_column = start + threadIdx.x, b_row = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < n && a_column < n ? a[row * n + a_column] : 0.0f;
    tile_b[threadIdx.y][threadIdx.x] = b_row < n && column < n ? b[b_row * n + column] : 0.0f;
    __syncthreads();  // the tiles are complete
#pragma unroll
    for (int k = 0; k < TILE; ++k) {
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    }
    __syncthreads();  // and nobody reads them any more
  }
  if (row < n && column < n) {
    c[row * n + column] = sum;
  }
}
void multiply(phpc::cuda::Grid phpc_grid, const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n) { PHPC_LAUNCH(phpc_grid, cooperate, multiply_thread(PHPC_INDICES, PHPC_READ_ONLY(a), PHPC_READ_ONLY(b), c, n)) }

int main(int count, char** arguments) {
  const int n = count > 1 ? std::atoi(arguments[1]) : 200;
  if (n < 1 || n > 20000) {
    std::fprintf(stderr, "usage: %s [N], with N from 1 to 20000\n", arguments[0]);
    return 2;
  }
  const std::size_t size = static_cast<std::size_t>(n) * n, bytes = size * sizeof(float);

  // Integers from -3 to 3: products and their sums are exact in float.
  std::vector<float> a(size), b(size), c(size);
  for (std::size_t i = 0; i < size; ++i) {
    a[i] = static_cast<float>(i * 5 % 7) - 3;
    b[i] = static_cast<float>(i * 3 % 5) - 2;
  }

  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_c, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(TILE, TILE);
  const dim3 grid((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
  multiply(phpc::cuda::Grid(grid, block), device_a, device_b, device_c, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(c.data(), device_c, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));

  // The host computes at most 200 rows again, spread over the matrix.
  float error = 0;
  std::vector<float> expected(n);
  for (int row = 0; row < n; row += n / 200 + 1) {
    expected.assign(n, 0.0f);
    for (int k = 0; k < n; ++k) {
      for (int column = 0; column < n; ++column) {
        expected[column] += a[static_cast<std::size_t>(row) * n + k] * b[static_cast<std::size_t>(k) * n + column];
      }
    }
    for (int column = 0; column < n; ++column) {
      error = std::fmax(error, std::fabs(c[static_cast<std::size_t>(row) * n + column] - expected[column]));
    }
  }
  std::printf("Error: %g\n", error);
  return error == 0 ? 0 : 1;
}
