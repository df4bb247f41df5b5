// Shuffles: by index, up, down and xor, in whole warps and in parts of 4, 8 and 16 lanes, of six types, in 1-D and 2-D blocks.
#include <cstdio>
#include <vector>

template <typename T>
__global__ void run(const T* in, T* out, int width) {
  const int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * blockDim.x * blockDim.y + t;
  const T value = in[i];
  T* o = out + 6 * i;
  o[0] = __shfl_sync(0xffffffff, value, t + 3, width);
  o[1] = __shfl_up_sync(0xffffffff, value, 2, width);
  o[2] = __shfl_down_sync(0xffffffff, value, 3, width);
  o[3] = __shfl_xor_sync(0xffffffff, value, 1, width);
  o[4] = __shfl_sync(0xffffffff, value, 0, width);
  T sum = value;
  for (int mask = width / 2; mask > 0; mask /= 2) {
    sum += __shfl_xor_sync(0xffffffff, sum, mask, width);
  }
  o[5] = sum;
}

template <typename T>
static bool right(int width, dim3 block) {
  const int blocks = 3, n = blocks * block.x * block.y;
  std::vector<T> in(n), out(6 * n);
  for (int i = 0; i < n; ++i)
    in[i] = static_cast<T>(i * 37 % 101) + (sizeof(T) == 8 ? static_cast<T>(1LL << 40) : T(0));
  T *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(T));
  cudaMalloc(&device_out, 6 * n * sizeof(T));
  cudaMemcpy(device_in, in.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  run<<<blocks, block>>>(device_in, device_out, width);
  cudaMemcpy(out.data(), device_out, 6 * n * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(device_in);
  cudaFree(device_out);
  for (int i = 0; i < n; ++i) {
    const int first = i / width * width, lane = i - first;  // blocks are multiples of 32 threads
    T sum = 0;
    for (int k = 0; k < width; ++k)
      sum += in[first + k];
    const T* o = &out[6 * i];
    if (o[0] != in[first + (lane + 3) % width] || o[1] != (lane >= 2 ? in[i - 2] : in[i]) ||
        o[2] != (lane + 3 < width ? in[i + 3] : in[i]) || o[3] != in[first + (lane ^ 1)] || o[4] != in[first] || o[5] != sum) {
      return false;
    }
  }
  return true;
}

// The last warp of a block of 40 threads has 8 lanes; a divergent half shuffles alone under its mask.
__global__ void partial(int* out) {
  const int t = threadIdx.x, lane = t % 32;
  int value = t * 10;
  if (t >= 32) {
    out[t] = __shfl_down_sync(0xff, value, 1, 8);
  } else if (lane < 16) {
    out[t] = __shfl_xor_sync(0x0000ffff, value, 15);
  } else {
    value += 1;
    out[t] = __shfl_sync(0xffff0000u, value, 16 + (lane + 5) % 16);
  }
}

int main() {
  for (int width : {32, 16, 8, 4}) {
    for (dim3 block : {dim3(32), dim3(96), dim3(16, 6), dim3(1024)}) {
      if (!right<int>(width, block) || !right<unsigned>(width, block) || !right<float>(width, block) ||
          !right<double>(width, block) || !right<long long>(width, block) || !right<unsigned long long>(width, block)) {
        std::printf("FAIL: width %d, blocks of %u x %u\n", width, block.x, block.y);
        return 1;
      }
    }
  }
  int out[40], *device;
  cudaMalloc(&device, sizeof out);
  partial<<<1, 40>>>(device);
  cudaMemcpy(out, device, sizeof out, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int t = 0; t < 40; ++t) {
    const int from = t >= 39 ? t : t >= 32 ? t + 1 : t < 16 ? t ^ 15 : 16 + (t % 32 + 5) % 16;
    if (out[t] != from * 10 + (t >= 16 && t < 32)) {
      std::printf("FAIL: partial warps, thread %d\n", t);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
