// Early returns before barriers: of single threads, of whole warps, of whole blocks, and in nested blocks of the text.
#include <cstdio>
#include <vector>

// Threads beyond n leave; the others go on through two barriers.
__global__ void tail(const int* in, int* out, int n) {
  __shared__ int row[96];
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  if (i >= n)
    return;
  row[t] = in[i];
  __syncthreads();
  const int last = min(static_cast<int>(blockDim.x), n - static_cast<int>(blockIdx.x * blockDim.x)) - 1;
  const int mirrored = row[last - t];
  __syncthreads();
  row[t] = mirrored * 2;
  __syncthreads();
  out[i] = row[(t + 1) % (last + 1)];
}

// The second warp leaves at once, odd blocks leave between two barriers, and one thread leaves from within a loop.
__global__ void several(const int* in, int* out, int size) {
  extern __shared__ int row[];
  const int t = threadIdx.x, i = blockIdx.x * size + t;
  out[i] = -1;
  if (t / 32 == 1) {
    return;
  }
  for (int k = 0; k < 3; ++k) {
    if (t == 5 && k == 1) {
      out[i] = -2;
      return;
    }
  }
  row[t] = in[i];
  __syncthreads();
  if (blockIdx.x % 2 == 1) {
    out[i] = -3;
    return;
  }
  int sum = row[0];
  for (int k = 1; k < size; k *= 2) {
    __syncthreads();
    if (t == 0)
      row[0] += k;
    __syncthreads();
    sum += row[0];
  }
  out[i] = sum + (t == size - 1 ? row[size - 1] : 0);
}

int main() {
  const int n = 1000;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i)
    in[i] = i * 3 % 251;
  int *device_in, *device_out;
  cudaMalloc(&device_in, n * sizeof(int));
  cudaMalloc(&device_out, n * sizeof(int));
  cudaMemcpy(device_in, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int block : {7, 33, 96}) {
    tail<<<(n + block - 1) / block, block>>>(device_in, device_out, n);
    cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
      const int first = i / block * block, count = first + block < n ? block : n - first;
      const int t = (i - first + 1) % count;
      if (out[i] != 2 * in[first + count - 1 - t]) {
        std::printf("FAIL: tail with blocks of %d, element %d\n", block, i);
        return 1;
      }
    }
  }
  const int size = 99, blocks = 5;
  several<<<blocks, size, size * sizeof(int)>>>(device_in, device_out, size);
  cudaMemcpy(out.data(), device_out, n * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < blocks * size; ++i) {
    const int t = i % size, first = i - t;
    int sum = 0, head = in[first];
    sum = head;
    for (int k = 1; k < size; k *= 2) {
      head += k;
      sum += head;
    }
    sum += t == size - 1 ? in[i] : 0;
    const int expected = t / 32 == 1 ? -1 : t == 5 ? -2 : i / size % 2 == 1 ? -3 : sum;
    if (out[i] != expected) {
      std::printf("FAIL: several, element %d is %d, not %d\n", i, out[i], expected);
      return 1;
    }
  }
  cudaFree(device_in);
  cudaFree(device_out);
  std::printf("PASS\n");
  return 0;
}
