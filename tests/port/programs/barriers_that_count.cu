// __syncthreads_count, __syncthreads_and and __syncthreads_or, alone, in conditions of loops and as a way to agree on leaving.
#include <cstdio>

__global__ void votes(const int* in, int* out, int limit) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];
  const int large = __syncthreads_count(value > limit);
  const int all = __syncthreads_and(value >= 0) != 0;
  const int any = __syncthreads_or(value == limit) ? 1 : 0;
  out[i] = large * 4 + all * 2 + any;
}

// Halves until all are below 10; counts the rounds of the block.
__global__ void until_all(int* data, int* rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = data[i], count = 0;
  while (__syncthreads_or(value >= 10)) {
    if (value >= 10) {
      value /= 2;
    }
    ++count;
    if (__syncthreads_and(value < 3)) {
      break;
    }
  }
  if (__syncthreads_count(value & 1) % 2 == 0) {
    value = -value;
  }
  data[i] = value;
  rounds[i] = count;
}

static bool right(int size) {
  const int blocks = 4, limit = 50;
  static int in[4096], out[4096], rounds[4096];
  const int n = blocks * size;
  for (int i = 0; i < n; ++i) {
    in[i] = (i * 29 + i / size * 13) % 101 - (i / size == 2 ? 1 : 0);
  }
  int *device_in, *device_out, *device_rounds;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  cudaMalloc(&device_rounds, sizeof rounds);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  votes<<<blocks, size>>>(device_in, device_out, limit);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  bool ok = true;
  for (int b = 0; b < blocks; ++b) {
    int large = 0, all = 1, any = 0;
    for (int t = 0; t < size; ++t) {
      const int value = in[b * size + t];
      large += value > limit;
      all &= value >= 0;
      any |= value == limit;
    }
    for (int t = 0; t < size; ++t) {
      ok = ok && out[b * size + t] == large * 4 + all * 2 + any;
    }
  }
  until_all<<<blocks, size>>>(device_in, device_rounds);
  cudaMemcpy(out, device_in, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(rounds, device_rounds, sizeof rounds, cudaMemcpyDeviceToHost);
  for (int b = 0; b < blocks; ++b) {
    int* row = in + b * size;
    int count = 0, odd = 0;
    for (bool busy = true;; ++count) {
      busy = false;
      bool small = true;
      for (int t = 0; t < size; ++t)
        busy = busy || row[t] >= 10;
      if (!busy)
        break;
      for (int t = 0; t < size; ++t) {
        if (row[t] >= 10)
          row[t] /= 2;
        small = small && row[t] < 3;
      }
      if (small) {
        ++count;
        break;
      }
    }
    for (int t = 0; t < size; ++t)
      odd += row[t] & 1;
    for (int t = 0; t < size; ++t) {
      ok = ok && out[b * size + t] == (odd % 2 == 0 ? -row[t] : row[t]) && rounds[b * size + t] == count;
    }
  }
  cudaFree(device_in);
  cudaFree(device_out);
  cudaFree(device_rounds);
  return ok;
}

int main() {
  for (int size : {1, 7, 33, 250, 1024}) {
    if (!right(size)) {
      std::printf("FAIL: blocks of %d\n", size);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
