// Lanes meet again where the text says, whatever order a compiler keeps its blocks in: loops followed by code of other lanes and by control
// flow, loops without a condition, an else that returns, goto, functions that return from loops, constructors.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int lanes = 32;

// Each lane adds as many ones as its number + 1, then takes the sum of the lane that is as far from the other end.
__global__ void loop_and_branch(int* out, int n) {
  volatile __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int k = 0; k < t + 1; ++k) s[t] = s[t] + 1;
  const int other = s[31 - t];
  if (t < n) out[t] = other;
}

__global__ void two_loops(int* out, int n) {
  volatile __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int k = 0; k < t + 1; ++k) s[t] = s[t] + 1;
  int sum = s[31 - t];
  for (int k = 0; k < n; ++k) sum += s[k & 31];
  out[t] = sum - s[0] * (n * (n + 1) / 2);
}

__global__ void forever(int* out, int n) {
  volatile __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  int k = 0;
  for (;;) {
    if (k > t) break;
    s[t] = s[t] + 1;
    ++k;
  }
  const int other = s[31 - t];
  if (t < n) out[t] = other;
}

__global__ void jumping(int* out, int n) {
  volatile __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 1;
  int k = 0;
again:
  if (k >= t) goto done;
  s[t] = s[t] + 1;
  ++k;
  goto again;
done:
  const int other = s[31 - t];
  if (t < n) out[t] = other;
}

__device__ int collect(volatile int* s, int t) {
  int k = 0;
  while (true) {
    if (k >= t) {
      s[t] = s[t] + 1;
      return s[31 - t];
    }
    s[t] = s[t] + 1;
    ++k;
  }
}

__global__ void returning(int* out, int n) {
  volatile __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  const int other = collect(s, t);
  if (t < n) out[t] = other;
}

struct Successor {
  int value;
  __device__ explicit Successor(int t);
  __device__ ~Successor();
};
__device__ Successor::Successor(int t) : value(t + 1) {}
__device__ Successor::~Successor() { value = 0; }

__global__ void constructed(int* out, int n) {
  volatile __shared__ int s[lanes];
  const Successor next(threadIdx.x);
  s[threadIdx.x] = next.value;
  const int other = s[31 - threadIdx.x];
  if (threadIdx.x < n) out[threadIdx.x] = other;
}

// Lanes from 16 on return before the others read what they have written.
__global__ void sides(int* out) {
  volatile __shared__ int s[lanes];
  const int t = threadIdx.x;
  s[t] = -1;
  if (t < 16) {
    s[t] = t;
  } else {
    s[t] = t;
    out[t] = t;
    return;
  }
  const int other = s[t + 16];
  if (t < 8) s[t] = 0;
  out[t] = other;
}

int main() {
  int* memory;
  int got[lanes];
  cudaMalloc(&memory, sizeof(got));
  int wrong = 0;
  const auto check = [&](const char* name, auto expected) {
    cudaMemcpy(got, memory, sizeof(got), cudaMemcpyDeviceToHost);
    int bad = 0;
    for (int t = 0; t < lanes; ++t) bad += got[t] != expected(t);
    if (bad != 0) std::printf("%s: %d of %d differ\n", name, bad, lanes);
    wrong += bad;
  };
  const auto mirrored = [](int t) { return lanes - t; };
  loop_and_branch<<<1, lanes>>>(memory, lanes);
  check("loop_and_branch", mirrored);
  for (const int n : {1, 5}) {
    two_loops<<<1, lanes>>>(memory, n);
    check("two_loops", mirrored);
  }
  forever<<<1, lanes>>>(memory, lanes);
  check("forever", mirrored);
  jumping<<<1, lanes>>>(memory, lanes);
  check("jumping", mirrored);
  returning<<<1, lanes>>>(memory, lanes);
  check("returning", mirrored);
  constructed<<<1, lanes>>>(memory, lanes);
  check("constructed", mirrored);
  sides<<<1, lanes>>>(memory);
  check("sides", [](int t) { return t % 16 + 16; });
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
