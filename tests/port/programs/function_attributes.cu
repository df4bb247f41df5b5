// What calls tell of a kernel: its static shared memory, that of device functions and of templates included, and its launch bounds.
#include <cuda_runtime.h>

#include <cstdio>

__shared__ double at_namespace_scope[16];

__device__ float in_device_function(float x) {
  __shared__ float kept[100];
  kept[threadIdx.x] = x;
  __syncthreads();
  return kept[0];
}

__global__ void plain(float *out) { out[threadIdx.x] = 1; }

__global__ void tiled(float *out) {
  __shared__ float tile[32][33];
  __shared__ char flag;
  extern __shared__ float more[];
  tile[0][threadIdx.x] = out[threadIdx.x];
  flag = 1;
  more[threadIdx.x] = 2;
  __syncthreads();
  out[threadIdx.x] = tile[0][0] + flag + more[0];
}

template <class T, int N>
__global__ void __launch_bounds__(N) typed(T *out) {
  __shared__ T row[N];
  row[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = row[N - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(128, 2) with_functions(float *out) {
  at_namespace_scope[0] = 1;
  out[threadIdx.x] = in_device_function(out[threadIdx.x]) + in_device_function(2);
}

__global__ void large(float *out) {
  __shared__ float half[8192];  // 32 KiB
  half[threadIdx.x] = out[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = half[0];
}

static int wrong = 0;
#define EXPECT(value, expected)                                                                               \
  do {                                                                                                        \
    const long long value_ = (value), expected_ = (expected);                                                 \
    if (value_ != expected_) {                                                                                \
      printf("FAIL: line %d: %s is %lld, not %lld\n", __LINE__, #value, value_, expected_);                   \
      ++wrong;                                                                                                \
    }                                                                                                         \
  } while (0)
#define CHECK(...) EXPECT((__VA_ARGS__), cudaSuccess)
#define BLOCKS_OF(kernel, threads) CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads, 0))

int main() {
  cudaDeviceProp device;
  CHECK(cudaGetDeviceProperties(&device, 0));
  cudaFuncAttributes attributes;
  CHECK(cudaFuncGetAttributes(&attributes, plain));
  EXPECT(attributes.sharedSizeBytes, 0);
  EXPECT(attributes.maxThreadsPerBlock, device.maxThreadsPerBlock);
  CHECK(cudaFuncGetAttributes(&attributes, (const void *)tiled));
  EXPECT(attributes.sharedSizeBytes, 32 * 33 * 4 + 1);
  CHECK(cudaFuncGetAttributes(&attributes, typed<double, 96>));
  EXPECT(attributes.sharedSizeBytes, 96 * 8);
  EXPECT(attributes.maxThreadsPerBlock, 96);
  CHECK(cudaFuncGetAttributes(&attributes, &typed<char, 64>));
  EXPECT(attributes.sharedSizeBytes, 64);
  EXPECT(attributes.maxThreadsPerBlock, 64);
  CHECK(cudaFuncGetAttributes(&attributes, with_functions));
  EXPECT(attributes.sharedSizeBytes, 16 * 8 + 100 * 4);
  EXPECT(attributes.maxThreadsPerBlock, 128);

  // As many blocks as have room by threads, and by shared memory.
  int blocks, most;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&most, plain, 256, 0));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large, 64, 0));
  const int room = device.sharedMemPerMultiprocessor / (32768 + device.reservedSharedMemPerBlock);
  EXPECT(blocks, room);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, large, 64, 4096));
  EXPECT(blocks, device.sharedMemPerMultiprocessor / (36864 + device.reservedSharedMemPerBlock));
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 256, 0, cudaOccupancyDefault));
  EXPECT(blocks, most);
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, typed<char, 64>, 65, 0));
  EXPECT(blocks, 0);
  // In a macro's text a call may ask about several kernels: by their threads alone.
  BLOCKS_OF(plain, 256);
  EXPECT(blocks, most);
  BLOCKS_OF(tiled, 256);
  EXPECT(blocks, most);

  int grid, block;
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, with_functions));
  EXPECT(block, 128);
  EXPECT(grid > 0, 1);
  CHECK(cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 64));
  EXPECT(block, 64);
  const auto bytes = [](int threads) { return threads * 1024; };
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, large, bytes));
  EXPECT(32768 + static_cast<size_t>(bytes(block)) <= device.sharedMemPerBlockOptin, 1);
  EXPECT(block < 256, 1);

  float *data;
  CHECK(cudaMalloc(&data, 1024 * sizeof(float)));
  CHECK(cudaMemset(data, 0, 1024 * sizeof(float)));
  with_functions<<<1, 64>>>(data);
  float first;
  CHECK(cudaMemcpy(&first, data, sizeof first, cudaMemcpyDeviceToHost));
  EXPECT(first >= 0, 1);
  CHECK(cudaFree(data));
  printf(wrong ? "FAIL\n" : "PASS\n");
  return wrong;
}
