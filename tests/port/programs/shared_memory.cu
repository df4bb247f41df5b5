// Shared memory: several static arrays, several arrays cut from one dynamic array, arrays of templates and of device functions.
#include <cstdio>
#include <vector>

constexpr int block_size = 96;

__global__ void several_static(const int* in, int* out) {
  __shared__ int values[block_size];
  __shared__ double halves[block_size + 1];
  __shared__ struct {
    int first, last;
    char letters[3];
  } ends;
  __shared__ bool flag;
  const int i = blockIdx.x * block_size + threadIdx.x;
  values[threadIdx.x] = in[i];
  halves[threadIdx.x + 1] = in[i] * 0.5;
  if (threadIdx.x == 0) {
    halves[0] = 0.25;
    ends.first = in[i];
    ends.letters[2] = 'c';
    flag = blockIdx.x % 2 == 1;
  }
  if (threadIdx.x == block_size - 1)
    ends.last = in[i];
  __syncthreads();
  const double left = halves[threadIdx.x];
  out[i] = values[block_size - 1 - threadIdx.x] + static_cast<int>(4 * left) + ends.first - ends.last + ends.letters[2] + flag;
}

__global__ void cut_dynamic(const int* in, int* out, int n) {
  extern __shared__ __align__(16) unsigned char memory[];
  double* doubles = reinterpret_cast<double*>(memory);
  int* ints = (int*)&doubles[n];
  char* chars = (char*)(ints + n);
  const int t = threadIdx.x, i = blockIdx.x * n + t;
  doubles[t] = in[i] * 0.25;
  ints[t] = in[i] + 1;
  chars[t] = static_cast<char>(in[i] % 100);
  __syncthreads();
  const int other = (t + 1) % n;
  out[i] = static_cast<int>(doubles[other] * 4) + ints[n - 1 - t] * 3 + chars[other];
}

template <typename T, int Size>
__device__ T neighbour(T value) {  // each instance has an array of its own
  __shared__ T row[Size];
  row[threadIdx.x] = value;
  __syncthreads();
  return row[(threadIdx.x + 1) % Size];
}

template <int Size>
__global__ void in_functions(const int* in, int* out) {
  __shared__ int sums[2][Size];
  const int t = threadIdx.x, i = blockIdx.x * Size + t;
  const int a = neighbour<int, Size>(in[i]);
  const float b = neighbour<float, Size>(in[i] * 0.5f);
  sums[0][t] = a;
  sums[1][t] = static_cast<int>(2 * b);
  __syncthreads();
  out[i] = sums[t % 2][(t + 5) % Size];
}

int main() {
  const int blocks = 5, n = blocks * 250;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 7 % 1013;
  int *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  const char* wrong = nullptr;

  several_static<<<blocks, block_size>>>(device_in, device_out);
  cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks * block_size; ++i) {
    const int t = i % block_size, first = i - t, last = first + block_size - 1;
    const int left = t == 0 ? 1 : 2 * in[i - 1];
    if (out[i] != in[last - t] + left + in[first] - in[last] + 'c' + (i / block_size) % 2)
      wrong = "several static arrays";
  }
  for (int size : {250, 33}) {
    cut_dynamic<<<blocks, size, size * (sizeof(double) + sizeof(int) + 1)>>>(device_in, device_out, size);
    cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks * size; ++i) {
      const int t = i % size, first = i - t, other = first + (t + 1) % size;
      if (out[i] != in[other] + 3 * (in[first + size - 1 - t] + 1) + in[other] % 100)
        wrong = "arrays cut from a dynamic one";
    }
  }
  in_functions<33><<<blocks, 33>>>(device_in, device_out);
  cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks * 33; ++i) {
    if (out[i] != in[i / 33 * 33 + (i % 33 + 6) % 33])
      wrong = "arrays of device functions";
  }
  cudaFree(device_in);
  cudaFree(device_out);
  std::printf(wrong ? "FAIL: %s\n" : "PASS\n", wrong);
  return wrong ? 1 : 0;
}
