// Lanes that part and meet again, between exchanges by volatile shared memory: branches in branches, returns, loops of which each lane
// makes another number of turns, switches, loops with break and continue. An interpreter in the program runs the same exchanges of all
// lanes one after another.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int lanes = 32;

// Lane t makes t % 5 + 1 turns, then all take their neighbour's sum.
__global__ void turns(int* out) {
  volatile __shared__ int s[1024];
  const int t = threadIdx.x, lane = t % lanes, base = t - lane;
  s[t] = 0;
  for (int k = 0; k <= lane % 5; ++k) s[t] = s[t] + k + lane;
  const int next = base + (lane + 1) % lanes;
  const int other = next < blockDim.x ? s[next] : -1;
  s[t] = other;
  out[blockIdx.x * blockDim.x + t] = s[t] * 2 + (t > 0 && lane > 0 ? s[t - 1] : 0);
}

// Lanes from 20 on return early; the others rotate what they have.
__global__ void leaving(int* out) {
  volatile __shared__ int s[1024];
  const int t = threadIdx.x, lane = t % lanes, base = t - lane;
  s[t] = t;
  if (lane >= 20) {
    out[blockIdx.x * blockDim.x + t] = -t;
    return;
  }
  for (int k = 0; k < 7; ++k) s[base + lane] = s[base + (lane + 3) % 20];
  out[blockIdx.x * blockDim.x + t] = s[t];
}

// Chains of branches: what one branch's lanes write, those of the next read.
__global__ void chains(int* out) {
  volatile __shared__ int s[1024];
  const int t = threadIdx.x, lane = t % lanes, base = t - lane;
  s[t] = lane;
  if (lane < 16) {
    s[t] = s[t] + 100;
    if (lane % 2 == 0) s[t] = s[t] * 2; else s[t] = s[t] + s[t - 1];
  } else {
    s[t] = s[t - 16] + 1000;
  }
  switch (lane % 4) {
    case 0: s[t] = s[t] + 1; break;
    case 1: s[t] = s[t - 1] * 3;
    case 2: s[t] = s[t] + s[t - 1]; break;
    default: s[t] = s[base] + 5;
  }
  out[blockIdx.x * blockDim.x + t] = s[t] + s[base + (lane ^ 1)];
}

// The greatest of the warp by a loop that each lane leaves where it will.
__global__ void greatest(const int* in, int* out) {
  volatile __shared__ int s[1024];
  volatile __shared__ int best[32];
  const int t = threadIdx.x, lane = t % lanes, base = t - lane;
  s[t] = in[blockIdx.x * blockDim.x + t];
  int most = -1;
  for (int k = 0;; ++k) {
    if (k == lane + 1) break;
    if (k % 3 == 2) continue;
    most = s[base + k] > most ? s[base + k] : most;
  }
  s[t] = most;
  if (lane == 0) best[t / lanes] = 0;
  int left = 31;
  do {
    if (s[t] >= s[base + left] && s[t] > best[t / lanes]) best[t / lanes] = s[t];
    --left;
  } while (left > 28);
  out[blockIdx.x * blockDim.x + t] = best[t / lanes];
}

int main() {
  int wrong = 0;
  for (const int threads : {32, 64, 256}) {
    const int blocks = 3, n = blocks * threads;
    std::vector<int> in(n), got(n);
    unsigned state = 12345;
    for (int& value : in) value = static_cast<int>((state = state * 1664525u + 1013904223u) >> 20);
    int *a, *b;
    cudaMalloc(&a, n * sizeof(int));
    cudaMalloc(&b, n * sizeof(int));
    cudaMemcpy(a, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    const auto differ = [&](const char* name, auto expected) {
      cudaMemcpy(got.data(), b, n * sizeof(int), cudaMemcpyDeviceToHost);
      int bad = 0;
      for (int i = 0; i < n; ++i) bad += got[i] != expected(i);
      if (bad != 0) std::printf("%s, %d threads: %d differ\n", name, threads, bad);
      wrong += bad;
    };
    turns<<<blocks, threads>>>(b);
    differ("turns", [&](int i) {
      const auto sum = [](int lane) {
        int s = 0;
        for (int k = 0; k <= lane % 5; ++k) s += k + lane;
        return s;
      };
      const int lane = i % lanes;
      return sum((lane + 1) % lanes) * 2 + (lane > 0 ? sum(lane) : 0);
    });
    leaving<<<blocks, threads>>>(b);
    differ("leaving", [&](int i) {
      const int t = i % threads, lane = t % lanes;
      return lane >= 20 ? -t : t - lane + (lane + 21) % 20;
    });
    chains<<<blocks, threads>>>(b);
    differ("chains", [&](int i) {
      int s[lanes], next[lanes];
      for (int l = 0; l < lanes; ++l) s[l] = l;
      for (int l = 0; l < 16; ++l) s[l] += 100;
      for (int l = 0; l < 16; l += 2) s[l] *= 2;
      for (int l = 1; l < 16; l += 2) s[l] += s[l - 1];
      for (int l = 16; l < lanes; ++l) next[l] = s[l - 16] + 1000;
      for (int l = 16; l < lanes; ++l) s[l] = next[l];
      for (int l = 0; l < lanes; l += 4) ++s[l];
      for (int l = 1; l < lanes; l += 4) s[l] = s[l - 1] * 3;
      for (int l = 1; l < lanes; ++l) next[l] = s[l] + s[l - 1];
      for (int l = 1; l < lanes; ++l) s[l] = l % 4 == 1 || l % 4 == 2 ? next[l] : s[l];
      for (int l = 3; l < lanes; l += 4) s[l] = s[0] + 5;
      return s[i % lanes] + s[i % lanes ^ 1];
    });
    greatest<<<blocks, threads>>>(a, b);
    differ("greatest", [&](int i) {
      int most[lanes];
      for (int l = 0; l < lanes; ++l) {
        most[l] = -1;
        for (int k = 0; k <= l; ++k)
          if (k % 3 != 2 && in[i / lanes * lanes + k] > most[l]) most[l] = in[i / lanes * lanes + k];
      }
      // All lanes read best before any writes; those that write do so in turn, the last of them wins.
      int best = 0;
      for (int left = 31; left > 28; --left) {
        int written = best;
        for (int l = 0; l < lanes; ++l)
          if (most[l] >= most[left] && most[l] > best) written = most[l];
        best = written;
      }
      return best;
    });
    cudaFree(a);
    cudaFree(b);
  }
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
