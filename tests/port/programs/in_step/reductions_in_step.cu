// Sums of old sources: the last warp of a block adds by volatile shared memory without __syncwarp(), in text and in device functions.
#include <cuda_runtime.h>

#include <cstdio>
#include <random>
#include <vector>

// Each lane writes where another one reads in the same statement.
template <class T>
__device__ void add_in_step(volatile T* s, unsigned i) {
  s[i] += s[i + 32];
  s[i] += s[i + 16];
  s[i] += s[i + 8];
  s[i] += s[i + 4];
  s[i] += s[i + 2];
  s[i] += s[i + 1];
}

template <class T>
__global__ void block_sums(const T* in, T* out, int n) {
  __shared__ T s[1024 + 64];
  const unsigned t = threadIdx.x;
  const unsigned i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : T(0);
  for (unsigned k = blockDim.x + t; k < 1024 + 64; k += blockDim.x) s[k] = T(0);
  __syncthreads();
  for (unsigned half = 512; half > 32; half /= 2) {
    if (t < half && t + half < blockDim.x) s[t] += s[t + half];
    __syncthreads();
  }
  if (t < 32) add_in_step(s, t);
  if (t == 0) out[blockIdx.x] = s[0];
}

// By a loop, and each warp for itself, with a warp that is not whole; the sums of the warps by a second stage.
__global__ void warp_sums(const unsigned* in, unsigned* out, int n) {
  extern __shared__ unsigned memory[];
  volatile unsigned* const s = memory;
  const unsigned t = threadIdx.x, lane = t % 32, warp = t / 32, warps = (blockDim.x + 31) / 32;
  volatile unsigned* const own = s + warp * 64;
  const unsigned i = blockIdx.x * blockDim.x + t;
  own[lane + 32] = 0;
  own[lane] = 0;
  if (lane == 0)
    for (int k = 0; k < 64; ++k) own[k] = 0;
  own[lane] = i < n ? in[i] * 2654435761u : 0;
  for (int d = 16; d > 0; d /= 2) own[lane] = own[lane] + own[lane + d];
  __syncthreads();
  if (t == 0) {
    unsigned sum = 0;
    for (unsigned w = 0; w < warps; ++w) sum += s[w * 64];
    out[blockIdx.x] = sum;
  }
}

// A tree in which the numbers of lanes halve: the others wait at the end.
__global__ void halving(const int* in, int* out, int n) {
  volatile __shared__ int s[32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  if (t < 16) {
    s[t] += s[t + 16];
    if (t < 8) {
      s[t] += s[t + 8];
      if (t < 4) {
        s[t] += s[t + 4];
        if (t < 2) {
          s[t] += s[t + 2];
          if (t < 1) s[t] += s[t + 1];
        }
      }
    }
  }
  // Every lane reads the sum, backwards.
  out[blockIdx.x * 32 + 31 - t] = s[0];
  __syncthreads();
}

template <class T>
bool check(const char* name, const std::vector<T>& got, const std::vector<T>& expected, unsigned seed) {
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (got[i] != expected[i]) {
      std::printf("%s, seed %u: element %zu differs\nFAIL\n", name, seed, i);
      return false;
    }
  }
  return true;
}

template <class T, class Launch>
std::vector<T> run(const std::vector<T>& in, std::size_t results, Launch launch) {
  T *d_in, *d_out;
  cudaMalloc(&d_in, in.size() * sizeof(T));
  cudaMalloc(&d_out, results * sizeof(T));
  cudaMemcpy(d_in, in.data(), in.size() * sizeof(T), cudaMemcpyHostToDevice);
  launch(d_in, d_out);
  std::vector<T> out(results);
  cudaMemcpy(out.data(), d_out, results * sizeof(T), cudaMemcpyDeviceToHost);
  cudaFree(d_in);
  cudaFree(d_out);
  return out;
}

int main() {
  const unsigned seed = 26112026;
  std::mt19937 random(seed);
  bool right = true;
  for (const int threads : {33, 61, 64, 256, 1000, 1024}) {
    const int n = 5 * threads - 7, blocks = 5;
    std::vector<int> in(n);
    std::vector<double> numbers(n);
    std::vector<unsigned> words(n);
    std::vector<int> sums(blocks);
    std::vector<double> number_sums(blocks);
    std::vector<unsigned> word_sums(blocks);
    for (int i = 0; i < n; ++i) {
      in[i] = static_cast<int>(random() % 2000) - 1000;
      numbers[i] = in[i];  // sums are exact
      words[i] = random();
      sums[i / threads] += in[i];
      number_sums[i / threads] += numbers[i];
      word_sums[i / threads] += words[i] * 2654435761u;
    }
    right = right &&
            check("block_sums", run(in, blocks, [&](int* a, int* b) { block_sums<<<blocks, threads>>>(a, b, n); }), sums, seed) &&
            check("block_sums of double",
                  run(numbers, blocks, [&](double* a, double* b) { block_sums<<<blocks, threads>>>(a, b, n); }), number_sums, seed);
    const std::size_t bytes = (threads + 31) / 32 * 64 * sizeof(unsigned);
    right = right &&
            check("warp_sums", run(words, blocks, [&](unsigned* a, unsigned* b) { warp_sums<<<blocks, threads, bytes>>>(a, b, n); }),
                  word_sums, seed);
  }
  const int n = 97 * 32;
  std::vector<int> in(n), expected(n);
  for (int i = 0; i < n; ++i) in[i] = static_cast<int>(random() % 2000);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 32; ++k) expected[i] += in[i / 32 * 32 + k];
  right = right && check("halving", run(in, n, [&](int* a, int* b) { halving<<<97, 32>>>(a, b, n); }), expected, seed);
  if (right) std::printf("PASS\n");
  return right ? 0 : 1;
}
