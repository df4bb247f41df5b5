// Tiled matrix product C = A B with 2-D tiles in shared memory, for rectangular matrices that the tiles do not divide.
#include <cstdio>
#include <vector>

template <int Tile>
__global__ void product(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float tile_a[Tile][Tile];
  __shared__ float tile_b[Tile][Tile];
  const int row = blockIdx.y * Tile + threadIdx.y, column = blockIdx.x * Tile + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < inner; start += Tile) {
    const int k = start + threadIdx.x, l = start + threadIdx.y;
    tile_a[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0;
    tile_b[threadIdx.y][threadIdx.x] = column < columns && l < inner ? b[l * columns + column] : 0;
    __syncthreads();
    for (int j = 0; j < Tile; ++j) {
      sum += tile_a[threadIdx.y][j] * tile_b[j][threadIdx.x];
    }
    __syncthreads();
  }
  if (row < rows && column < columns) {
    c[row * columns + column] = sum;
  }
}

template <int Tile>
static int wrong_elements(int rows, int inner, int columns) {
  std::vector<float> a(rows * inner), b(inner * columns), c(rows * columns);
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] = static_cast<float>(i * 7 % 13) - 6;  // small integers: sums are exact
  }
  for (std::size_t i = 0; i < b.size(); ++i) {
    b[i] = static_cast<float>(i * 5 % 11) - 5;
  }
  float *device_a, *device_b, *device_c;
  cudaMalloc(&device_a, a.size() * sizeof(float));
  cudaMalloc(&device_b, b.size() * sizeof(float));
  cudaMalloc(&device_c, c.size() * sizeof(float));
  cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 grid((columns + Tile - 1) / Tile, (rows + Tile - 1) / Tile);
  product<Tile><<<grid, dim3(Tile, Tile)>>>(device_a, device_b, device_c, rows, inner, columns);
  cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaFree(device_a);
  cudaFree(device_b);
  cudaFree(device_c);
  int wrong = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      float sum = 0;
      for (int k = 0; k < inner; ++k) {
        sum += a[i * inner + k] * b[k * columns + j];
      }
      wrong += c[i * columns + j] != sum;
    }
  }
  return wrong;
}

int main() {
  const int small = wrong_elements<7>(33, 20, 41), large = wrong_elements<32>(70, 65, 33);
  if (small + large != 0) {
    std::printf("FAIL: %d wrong elements with tiles of 7, %d with tiles of 32\n", small, large);
    return 1;
  }
  std::printf("PASS\n");
  return 0;
}
