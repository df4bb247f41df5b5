// Kernels that share memory between the threads of a warp and have no barrier, as the transform of 8 x 8 blocks of CUDA's samples has
// it: plain arrays, elements that are structures, dynamic shared memory, pointers kept in arrays and structures, device functions.
#include <cuda_runtime.h>

#include <cstdio>
#include <random>
#include <vector>

__device__ void rotate(float* row) {
  const float first = row[0];
  for (int k = 0; k < 7; ++k) row[k] = row[k + 1];
  row[7] = first;
}

// Each group of 8 threads transposes a tile of 8 x 8 numbers, and rotates its rows in between.
__global__ void tiles(const float* in, float* out, int stride, int height) {
  __shared__ float memory[16][32 + 1];
  const int x = blockIdx.x * 32 + threadIdx.x, y = (blockIdx.y * 2 + threadIdx.y) * 8;
  const int column = threadIdx.x % 8;
  if (y + 7 >= height) return;
  float* const down = &memory[threadIdx.y * 8][threadIdx.x];
  float* const across = &memory[threadIdx.y * 8 + column][threadIdx.x - column];
  for (int k = 0; k < 8; ++k) down[k * 33] = in[(y + k) * stride + x];
  float own[8];
  for (int k = 0; k < 8; ++k) own[k] = across[k];
  rotate(own);
  for (int k = 0; k < 8; ++k) across[k] = own[k];
  for (int k = 0; k < 8; ++k) out[(y + k) * stride + x] = down[k * 33];
}

struct Pair {
  double weight;
  int place;
};

// The order of structures within a warp turned round, by a pointer that a structure holds.
__global__ void turned(const Pair* in, Pair* out, int n) {
  extern __shared__ char bytes[];
  struct View {
    Pair* first;
    int size;
  };
  const int t = threadIdx.x, lane = t % 32, base = t - lane;
  const int i = blockIdx.x * blockDim.x + t;
  const int last = min(base + 31, (int)blockDim.x - 1);
  const View view{reinterpret_cast<Pair*>(bytes), static_cast<int>(blockDim.x)};
  Pair* const places[2] = {view.first + t, view.first + base + last - t};
  if (i < n) *places[0] = in[i];
  const Pair other = *places[1];
  *places[n < 0] = Pair{other.weight * 2, other.place + 1};
  if (i < n) out[i] = view.first[t];
}

template <int Turns>
__global__ void neighbours(int* out) {
  __shared__ int s[2][64];
  const int t = threadIdx.x;
  s[0][t] = t;
#pragma unroll
  for (int k = 0; k < Turns; ++k) {
    const int lane = t % 32;
    s[(k + 1) % 2][t] = s[k % 2][t - lane + (lane + k + 1) % 32] + 1;
  }
  out[t] = s[Turns % 2][t];
}

// Structures that move on by one place, from shared memory to shared memory.
__global__ void moved(int* out) {
  __shared__ int4 s[33];
  const int t = threadIdx.x;
  s[t + 1] = make_int4(t, 0, 0, -t);
  if (t == 0) s[0] = make_int4(-1, 0, 0, 1);
  s[t + 1] = s[t];
  out[t] = s[t + 1].x - s[t + 1].w;
}

// Atomics whose result nobody uses come behind what the text has before them.
__global__ void counted(int* out) {
  __shared__ int n, most;
  if (threadIdx.x == 0) n = most = 5;
  atomicAdd(&n, 1);
  atomicMax(&most, threadIdx.x);
  out[threadIdx.x] = n + most;
}

// Through a pointer that lies in shared memory.
__global__ void by_pointer(int* out) {
  __shared__ int s[32];
  __shared__ int* first;
  if (threadIdx.x == 0) first = s;
  int* const numbers = first;
  numbers[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = numbers[31 - threadIdx.x];
}

int main() {
  const unsigned seed = 314159;
  std::mt19937 random(seed);
  int wrong = 0;
  {
    const int width = 96, height = 40;
    std::vector<float> in(width * height), out(width * height);
    for (float& value : in) value = static_cast<float>(random() % 1000);
    float *a, *b;
    cudaMalloc(&a, in.size() * sizeof(float));
    cudaMalloc(&b, in.size() * sizeof(float));
    cudaMemcpy(a, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
    tiles<<<dim3(width / 32, (height + 15) / 16), dim3(32, 2)>>>(a, b, width, height);
    cudaMemcpy(out.data(), b, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) wrong += out[y * width + x] != in[y * width + x / 8 * 8 + (x + 1) % 8];
    cudaFree(a);
    cudaFree(b);
    std::printf("tiles: %d wrong\n", wrong);
  }
  for (const int threads : {33, 61, 64, 256}) {
    const int blocks = 3, n = blocks * threads;
    std::vector<Pair> in(n), out(n);
    for (int i = 0; i < n; ++i) in[i] = {static_cast<double>(random() % 1000), static_cast<int>(random() % 1000)};
    Pair *a, *b;
    cudaMalloc(&a, n * sizeof(Pair));
    cudaMalloc(&b, n * sizeof(Pair));
    cudaMemcpy(a, in.data(), n * sizeof(Pair), cudaMemcpyHostToDevice);
    turned<<<blocks, threads, threads * sizeof(Pair)>>>(a, b, n);
    cudaMemcpy(out.data(), b, n * sizeof(Pair), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i) {
      const int t = i % threads, base = t / 32 * 32, last = base + 31 < threads ? base + 31 : threads - 1;
      const Pair& other = in[i - t + base + last - t];
      wrong += out[i].weight != other.weight * 2 || out[i].place != other.place + 1;
    }
    cudaFree(a);
    cudaFree(b);
  }
  std::printf("turned: %d wrong\n", wrong);
  {
    int *b, out[64];
    cudaMalloc(&b, sizeof(out));
    neighbours<9><<<1, 64>>>(b);
    cudaMemcpy(out, b, sizeof(out), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; ++t) wrong += out[t] != t / 32 * 32 + (t % 32 + 45) % 32 + 9;
    moved<<<1, 32>>>(b);
    cudaMemcpy(out, b, sizeof(out), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; ++t) wrong += out[t] != 2 * (t - 1);
    std::printf("moved: %d wrong\n", wrong);
    by_pointer<<<1, 32>>>(b);
    cudaMemcpy(out, b, sizeof(out), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; ++t) wrong += out[t] != 31 - t;
    std::printf("by_pointer: %d wrong\n", wrong);
    counted<<<1, 32>>>(b);
    cudaMemcpy(out, b, sizeof(out), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; ++t) wrong += out[t] != 5 + 32 + 31;
    cudaFree(b);
  }
  std::printf("seed %u: %d wrong\n%s\n", seed, wrong, wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
