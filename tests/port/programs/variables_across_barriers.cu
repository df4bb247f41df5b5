// What a thread keeps across barriers: scalars, arrays, structs, references, pointers to its own, changed parameters, shadowed
// names.
#include <cstdio>

struct State {
  int position = 3;
  float weights[4] = {1, 2, 3, 4};
  __device__ void step(int by) { position += by, weights[position & 3] += 0.5f; }
};

__global__ void keep(int* out, const int* in, int n, unsigned char narrow) {
  extern __shared__ int row[];
  in += blockIdx.x * n;  // the parameters are the thread's own
  out += blockIdx.x * n;
  const int t = threadIdx.x;
  int history[5] = {in[t], 1};
  State state;
  int& newest = history[4];
  int* middle = &history[2];
  bool seen = false;
  narrow += t;  // wraps at 256
  row[t] = in[t];
  __syncthreads();
  for (int i = 0, n = 3; i < n; ++i) {  // another n
    const int next = row[(t + i) % blockDim.x];
    newest += next;
    {
      int newest = i * 10;  // and another newest
      *middle += newest;
    }
    state.step(next % 3);
    __syncthreads();
    row[t] = newest + i;
    seen = seen || newest % 5 == 0;
    n -= i;
    __syncthreads();
  }
  auto total = [&] { return history[0] + history[1] + history[2] + history[3] + newest; };
  __syncthreads();
  int sum = total() + state.position * 1000 + (seen ? 100000 : 0) + narrow;
  for (const float weight : state.weights) {
    sum += static_cast<int>(2 * weight);
  }
  n = sum;
  __syncthreads();
  out[t] = n;
}

static void keep_on_host(int* out, const int* in, int size) {
  static int row[1024], history[1024], position[1024], extra[1024];
  static bool seen[1024];
  for (int t = 0; t < size; ++t)
    row[t] = in[t], history[t] = extra[t] = 0, position[t] = 3, seen[t] = false;
  for (int i = 0, n = 3; i < n; n -= i, ++i) {
    static int next[1024];
    for (int t = 0; t < size; ++t) {
      const int taken = row[(t + i) % size];
      history[t] += taken;
      extra[t] += i * 10;
      position[t] += taken % 3;
      next[t] = history[t] + i;
      seen[t] = seen[t] || history[t] % 5 == 0;
    }
    for (int t = 0; t < size; ++t)
      row[t] = next[t];
  }
  for (int t = 0; t < size; ++t) {
    const int weights = 20 + 2;  // two steps of a half, doubled
    out[t] = in[t] + 1 + extra[t] + history[t] + position[t] * 1000 + (seen[t] ? 100000 : 0) + (250 + t) % 256 + weights;
  }
}

int main() {
  const int blocks = 3;
  static int in[3 * 1024], out[3 * 1024], expected[3 * 1024];
  int *device_in, *device_out;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  for (int i = 0; i < 3 * 1024; ++i)
    in[i] = i * 11 % 103;
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  for (int size : {1, 7, 33, 250, 1024}) {
    keep<<<blocks, size, size * sizeof(int)>>>(device_out, device_in, size, 250);
    cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; ++b)
      keep_on_host(expected + b * size, in + b * size, size);
    for (int i = 0; i < blocks * size; ++i) {
      if (out[i] != expected[i]) {
        std::printf("FAIL: blocks of %d, element %d is %d, not %d\n", size, i, out[i], expected[i]);
        return 1;
      }
    }
  }
  cudaFree(device_in);
  cudaFree(device_out);
  std::printf("PASS\n");
  return 0;
}
