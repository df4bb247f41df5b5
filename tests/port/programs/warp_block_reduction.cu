// Warp functions inside of loops and conditions of the block, and a block reduction of any block size by shuffles with masks.
#include <cstdio>
#include <vector>

template <typename T>
__device__ T warp_sum(T value, unsigned mask, int lanes) {
  const int lane = threadIdx.x % 32;
  for (int offset = 16; offset > 0; offset /= 2) {
    const T other = __shfl_down_sync(mask, value, offset);
    if (lane + offset < lanes)
      value += other;
  }
  return value;  // of lane 0
}

template <typename T>
__device__ T block_sum(T value) {  // the result is known to all threads
  __shared__ T parts[33];
  const int t = threadIdx.x, size = blockDim.x, warps = (size + 31) / 32, warp = t / 32;
  const int lanes = min(32, size - warp * 32);
  const unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  const T sum = warp_sum(value, mask, lanes);
  __syncthreads();  // the parts of an earlier call may be in use
  if (t % 32 == 0)
    parts[warp] = sum;
  __syncthreads();
  if (t == 0) {
    T total = 0;
    for (int w = 0; w < warps; ++w)
      total += parts[w];
    parts[32] = total;
  }
  __syncthreads();
  return parts[32];
}

__global__ void centre(float* data, int n) {  // a row per block: takes off the mean twice, the second time nothing is left
  float* row = data + blockIdx.x * n;
  for (int round = 0; round < 2; ++round) {
    float mine = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      mine += row[i];
    const float mean = block_sum(mine) / n;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      row[i] -= mean;
  }
}

// Compaction: each warp places the numbers that it keeps by a ballot and a count of the lanes below.
__global__ void keep_odd(const int* in, int* out, int* count, int n) {
  for (int start = blockIdx.x * blockDim.x; start < n; start += gridDim.x * blockDim.x) {
    const int i = start + threadIdx.x, lane = threadIdx.x & 31;
    const bool keep = i < n && in[i] % 2 != 0;
    const unsigned kept = __ballot_sync(0xffffffff, keep);
    int base = 0;
    if (lane == 0 && kept != 0)
      base = atomicAdd(count, __popc(kept));
    base = __shfl_sync(0xffffffff, base, 0);
    if (keep)
      out[base + __popc(kept & ((1u << lane) - 1))] = in[i];
  }
}

int main() {
  const int n = 64, rows = 5;
  std::vector<float> data(n * rows), result(n * rows);
  for (int i = 0; i < n * rows; ++i)
    data[i] = static_cast<float>(i * 29 % 83);
  float* device;
  cudaMalloc(&device, data.size() * sizeof(float));
  for (int size : {1, 7, 32, 33, 96, 250}) {
    cudaMemcpy(device, data.data(), data.size() * sizeof(float), cudaMemcpyHostToDevice);
    centre<<<rows, size>>>(device, n);
    cudaMemcpy(result.data(), device, data.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int r = 0; r < rows; ++r) {
      float sum = 0;
      for (int i = 0; i < n; ++i)
        sum += data[r * n + i];
      for (int i = 0; i < n; ++i) {
        if (result[r * n + i] != data[r * n + i] - sum / n) {  // 64 small integers: exact
          std::printf("FAIL: row %d with blocks of %d\n", r, size);
          return 1;
        }
      }
    }
  }
  const int many = 1003;
  std::vector<int> in(many), out(many);
  int *device_in, *device_out, *device_count, count = 0, expected = 0;
  long long sum = 0, expected_sum = 0;
  for (int i = 0; i < many; ++i) {
    in[i] = i * i / 3;
    if (in[i] % 2 != 0)
      ++expected, expected_sum += in[i];
  }
  cudaMalloc(&device_in, many * sizeof(int));
  cudaMalloc(&device_out, many * sizeof(int));
  cudaMalloc(&device_count, sizeof(int));
  cudaMemcpy(device_in, in.data(), many * sizeof(int), cudaMemcpyHostToDevice);
  cudaMemset(device_count, 0, sizeof(int));
  keep_odd<<<3, 96>>>(device_in, device_out, device_count, many);
  cudaMemcpy(&count, device_count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(out.data(), device_out, many * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count && i < many; ++i)
    sum += out[i] % 2 != 0 ? out[i] : 1000000;
  const bool ok = count == expected && sum == expected_sum;
  std::printf(ok ? "PASS\n" : "FAIL: %d kept, not %d\n", count, expected);
  return ok ? 0 : 1;
}
