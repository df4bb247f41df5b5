// Vector types: members, make functions, alignment, operators of the program's own, arrays in shared memory, loads by
// reinterpretation.
#include <cuda_runtime.h>

#include <cstdio>

inline __host__ __device__ float4 operator+(float4 a, float4 b) {
  return make_float4(a.x + b.x, a.y + b.y, a.z + b.z, a.w + b.w);
}
inline __host__ __device__ void operator*=(double2& a, double s) {
  a.x *= s, a.y *= s;
}
inline __host__ __device__ int dot(int3 a, int3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(int2) == 8 && sizeof(uchar4) == 4 &&
                  alignof(double2) == 16,
              "sizes and alignments of CUDA");

struct Record {
  char tag;
  float4 value;  // at 16
  ushort2 pair;
};

__global__ void run(const float* in, float4* sums, double2* pairs, int* numbers, Record* records, int n) {
  __shared__ float4 row[33];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  const float4* quads = reinterpret_cast<const float4*>(in);
  row[t] = i < n ? quads[i] : make_float4(0, 0, 0, 0);
  __syncthreads();
  if (i >= n)
    return;
  float4 sum = row[t] + row[(t + 1) % 33];
  sum.w += 0.5f;
  sums[i] = sum;
  double2 pair = {sum.x * 1.0, static_cast<double>(i)};
  pair *= 0.25;
  pairs[i] = pair;
  const int3 a = make_int3(i, 1, -1);
  const uint3 b = {1u, 2u, 3u};
  int2 both;
  both.x = dot(a, make_int3(b.x, b.y, b.z));
  both.y = dot(a, int3{2, 2, 2});
  const longlong2 wide = make_longlong2(both.x, both.y);
  const uchar4 bytes = make_uchar4(i, i + 1, i + 2, 255);
  const short3 small = make_short3(-1, -2, -3);
  numbers[i] = static_cast<int>(wide.x + 10 * wide.y) + bytes.x + bytes.w + small.z;
  Record record = {'r', sum, make_ushort2(65535, 1)};
  record.value.x = -record.value.x;
  records[i] = record;
}

int main() {
  const int n = 100, block = 33;
  float4 in[n], sums[n], *device_sums;
  double2 pairs[n], *device_pairs;
  int numbers[n], *device_numbers;
  Record records[n], *device_records;
  float* device_in;
  for (int i = 0; i < n; ++i)
    in[i] = make_float4(i, i * 2, i * 0.5f, -i);
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_sums, sizeof sums);
  cudaMalloc(&device_pairs, sizeof pairs);
  cudaMalloc(&device_numbers, sizeof numbers);
  cudaMalloc(&device_records, sizeof records);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  run<<<(n + block - 1) / block, block>>>(device_in, device_sums, device_pairs, device_numbers, device_records, n);
  cudaMemcpy(sums, device_sums, sizeof sums, cudaMemcpyDeviceToHost);
  cudaMemcpy(pairs, device_pairs, sizeof pairs, cudaMemcpyDeviceToHost);
  cudaMemcpy(numbers, device_numbers, sizeof numbers, cudaMemcpyDeviceToHost);
  cudaMemcpy(records, device_records, sizeof records, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const int next = i % block == block - 1 ? i - block + 1 : i + 1;
    const float4 other = next < n ? in[next] : make_float4(0, 0, 0, 0), sum = in[i] + other;
    const int expected = (i - 1) + 10 * 2 * i + i + 255 - 3;
    if (sums[i].x != sum.x || sums[i].y != sum.y || sums[i].z != sum.z || sums[i].w != sum.w + 0.5f || numbers[i] != expected ||
        pairs[i].x != sum.x * 0.25 || pairs[i].y != i * 0.25 || records[i].tag != 'r' || records[i].value.x != -sum.x ||
        records[i].value.z != sum.z || records[i].pair.x != 65535 || records[i].pair.y != 1) {
      std::printf("FAIL: element %d\n", i);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
