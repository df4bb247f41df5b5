// Histogram with atomics on shared counters per block, then on global ones; block sizes above and below the number of bins.
#include <cstdio>
#include <cstdlib>
#include <vector>

#define BINS 61

__global__ void histogram(const unsigned char* letters, size_t n, unsigned int* counts) {
  __shared__ unsigned int local[BINS];
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    local[bin] = 0;
  }
  __syncthreads();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&local[letters[i] % BINS], 1);
  }
  __syncthreads();
  for (int bin = threadIdx.x; bin < BINS; bin += blockDim.x) {
    if (local[bin] != 0) {
      atomicAdd(&counts[bin], local[bin]);
    }
  }
}

int main() {
  const size_t n = 20011;
  std::vector<unsigned char> letters(n);
  unsigned int expected[BINS] = {0}, result[BINS];
  srand(5);
  for (auto& letter : letters) {
    letter = rand() / 3 % 256;
    ++expected[letter % BINS];
  }
  unsigned char* device_letters;
  unsigned int* device_counts;
  cudaMalloc(&device_letters, n);
  cudaMalloc(&device_counts, sizeof result);
  cudaMemcpy(device_letters, letters.data(), n, cudaMemcpyHostToDevice);
  for (int block : {7, 33, 250}) {
    cudaMemset(device_counts, 0, sizeof result);
    histogram<<<9, block>>>(device_letters, n, device_counts);
    cudaMemcpy(result, device_counts, sizeof result, cudaMemcpyDeviceToHost);
    for (int bin = 0; bin < BINS; ++bin) {
      if (result[bin] != expected[bin]) {
        std::printf("FAIL: blocks of %d, bin %d: %u, not %u\n", block, bin, result[bin], expected[bin]);
        return 1;
      }
    }
  }
  cudaFree(device_letters);
  cudaFree(device_counts);
  std::printf("PASS\n");
  return 0;
}
