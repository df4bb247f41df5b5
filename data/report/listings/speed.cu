// Two kernels, timed by events: a product of matrices by tiles in shared memory, and a sum of two vectors. Prints a line for each:
// its name, the least time of a launch in milliseconds, and the largest error against the host.
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int TILE = 16;
constexpr int launches = 20;

__global__ void multiply(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[TILE][TILE];
  __shared__ float tile_b[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y;
  const int column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < n; tile += TILE) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + tile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < TILE; ++k) {
      sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    }
    __syncthreads();
  }
  c[row * n + column] = sum;
}

__global__ void add(const float* a, const float* b, float* c, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    c[i] = a[i] + b[i];
  }
}

// N: rows of the matrices, a multiple of 16; the vectors are the matrices' numbers.
int main(int argc, char** argv) {
  const int n = argc > 1 ? std::atoi(argv[1]) : 256;
  if (n < TILE || n % TILE != 0 || n > 16384) {
    std::fprintf(stderr, "usage: %s N, a multiple of %d up to 16384\n", argv[0], TILE);
    return 2;
  }
  const int count = n * n;
  const size_t bytes = sizeof(float) * count;
  std::vector<float> a(count), b(count), c(count);
  for (int i = 0; i < count; ++i) {  // small integers: products and sums are exact
    a[i] = static_cast<float>(i * 5LL % 7) - 3;
    b[i] = static_cast<float>(i * 3LL % 5) - 2;
  }
  float *on_a, *on_b, *on_c;
  cudaMalloc(&on_a, bytes);
  cudaMalloc(&on_b, bytes);
  cudaMalloc(&on_c, bytes);
  cudaMemcpy(on_a, a.data(), bytes, cudaMemcpyHostToDevice);
  cudaMemcpy(on_b, b.data(), bytes, cudaMemcpyHostToDevice);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  for (int kernel = 0; kernel < 2; ++kernel) {
    float least = 0;
    for (int launch = 0; launch <= launches; ++launch) {  // the first one loads code
      cudaEventRecord(begin);
      if (kernel == 0) {
        multiply<<<dim3(n / TILE, n / TILE), dim3(TILE, TILE)>>>(on_a, on_b, on_c, n);
      } else {
        add<<<(count + 255) / 256, 256>>>(on_a, on_b, on_c, count);
      }
      cudaEventRecord(end);
      cudaEventSynchronize(end);
      float time = 0;
      cudaEventElapsedTime(&time, begin, end);
      least = launch == 1 ? time : std::min(least, time);
    }
    cudaMemcpy(c.data(), on_c, bytes, cudaMemcpyDeviceToHost);
    float error = 0;
    for (int row = 0; row < n; row += n / 8) {
      for (int column = 0; column < n; ++column) {
        float expected = a[row * n + column] + b[row * n + column];
        if (kernel == 0) {
          expected = 0;
          for (int k = 0; k < n; ++k) {
            expected += a[row * n + k] * b[k * n + column];
          }
        }
        error = std::max(error, std::fabs(expected - c[row * n + column]));
      }
    }
    std::printf("%s\t%g\t%g\n", kernel == 0 ? "multiply" : "add", least, error);
  }
  const bool is_right = cudaGetLastError() == cudaSuccess;
  cudaFree(on_a);
  cudaFree(on_b);
  cudaFree(on_c);
  return is_right ? 0 : 1;
}
