// Threads that wait for others in loops on volatile memory, which must not hang: lanes of a warp, warps of a block, and locks.
#include <cuda_runtime.h>

#include <cstdio>

// Of each pair of lanes the first waits for the second, which comes to its text later.
__global__ void between_lanes(int* out) {
  volatile __shared__ int flags[64];
  const int t = threadIdx.x;
  flags[t] = 0;
  if (t % 2 == 0) {
    while (flags[t + 1] == 0) {
    }
    out[t] = flags[t + 1];
  } else {
    int work = 0;
    for (int k = 0; k < 20; ++k) {
      flags[t] = 0;
      work += k;
    }
    flags[t] = work;
    out[t] = -work;
  }
  __syncthreads();
}

// Warp 0 waits for the last one, that for the one before, and so on; turns of a ring.
__global__ void between_warps(int* out, int rounds) {
  volatile __shared__ int turn[1];
  const int warps = blockDim.x / 32, warp = threadIdx.x / 32;
  if (threadIdx.x == 0) turn[0] = 0;
  __syncthreads();
  for (int k = 0; k < rounds; ++k) {
    while (turn[0] != k * warps + warps - 1 - warp) {
    }
    if (threadIdx.x % 32 == 0) {
      out[k * warps + warps - 1 - warp] = k * 100 + warp;
      turn[0] = turn[0] + 1;
    }
  }
  __syncthreads();
}

// A lock by atomics around volatile memory; each lane takes it once, in a form that lanes of older GPUs can.
__global__ void locked(int* out) {
  __shared__ int lock;
  volatile __shared__ int count[1];
  if (threadIdx.x == 0) {
    lock = 0;
    count[0] = 0;
  }
  __syncthreads();
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      const int before = count[0];
      count[0] = before + 1;
      __threadfence_block();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count[0];
}

// The same in the form that loops until it has the lock.
__global__ void locked_at_once(int* out) {
  __shared__ int lock;
  volatile __shared__ int count[1];
  if (threadIdx.x == 0) {
    lock = 0;
    count[0] = 0;
  }
  __syncthreads();
  while (atomicCAS(&lock, 0, 1) != 0) {
  }
  const int before = count[0];
  count[0] = before + 1;
  atomicExch(&lock, 0);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count[0];
}

// Lanes wait in a loop that writes.
__global__ void counting(int* out) {
  volatile __shared__ int flag[1];
  volatile __shared__ int turns[64];
  const int t = threadIdx.x;
  turns[t] = 0;
  if (t == 0) flag[0] = 0;
  __syncthreads();
  if (t != 40) {
    while (flag[0] == 0) turns[t] = turns[t] % 1000 + 1;
    out[t] = flag[0];
  } else {
    flag[0] = 7;
    out[t] = flag[0];
  }
  __syncthreads();
}

// Lanes wait in a loop that writes for many steps of a lane that is behind them in the text.
__global__ void counting_long(int* out, int n) {
  volatile __shared__ int flag[1];
  volatile __shared__ int turns[32];
  const int t = threadIdx.x;
  turns[t] = 0;
  if (t == 0) flag[0] = 0;
  __syncthreads();
  if (t != 20) {
    while (flag[0] == 0) turns[t] = turns[t] + 1;
  } else {
    for (int k = 0; k < n; ++k) turns[t] = turns[t] + 1;
    flag[0] = turns[t];
  }
  __syncthreads();
  out[t] = flag[0];
}

// All lanes vote, after one has waited for another and, of a second warp, one for that of the first.
__global__ void voting(int* out) {
  volatile __shared__ int flags[64];
  const int t = threadIdx.x;
  flags[t] = 0;
  __syncthreads();
  if (t == 0 || t == 35) {
    while (flags[1] == 0) {
    }
    flags[t] = 1;
  }
  if (t == 1) flags[1] = 1;
  out[t] = static_cast<int>(__ballot_sync(0xffffffff, flags[t] == 1));
}

// Lanes ask which others are there, while these wait for them in a loop that writes.
__global__ void asking(int* out) {
  volatile __shared__ int flags[32];
  volatile __shared__ int turns[32];
  const int t = threadIdx.x;
  flags[t] = turns[t] = 0;
  __syncthreads();
  if (t % 2 == 0) {
    out[t] = static_cast<int>(__activemask());
    flags[t + 1] = 1;
  } else {
    while (flags[t] == 0) turns[t] = turns[t] + 1;
    out[t] = flags[t];
  }
  __syncthreads();
}

// Lanes that work in memory of the grid do not wait, though each turn reads the loop's bound from shared memory.
__global__ void bounded(int* out, int* sums) {
  volatile __shared__ int n[1], s[32];
  const int t = threadIdx.x;
  sums[t] = 0;
  n[0] = 4000;
  for (int k = 0; k < n[0]; k += t < 16 ? 1 : 8) sums[t] += 1;
  s[t] = sums[t];
  out[t] = s[31 - t];
  s[t] = -1;
}

int main() {
  int* a;
  static int got[4096];
  cudaMalloc(&a, sizeof(got));
  int wrong = 0;
  between_lanes<<<1, 64>>>(a);
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) wrong += got[t] != (t % 2 == 0 ? 190 : -190);
  std::printf("between lanes: %d wrong\n", wrong);
  for (const int warps : {2, 8}) {
    between_warps<<<1, warps * 32>>>(a, 50);
    cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 50 * warps; ++i) wrong += got[i] != i / warps * 100 + warps - 1 - i % warps;
  }
  std::printf("between warps: %d wrong\n", wrong);
  for (const int threads : {33, 96}) {
    locked<<<3, threads>>>(a);
    cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
    for (int b = 0; b < 3; ++b) wrong += got[b] != threads;
    locked_at_once<<<3, threads>>>(a);
    cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
    for (int b = 0; b < 3; ++b) wrong += got[b] != threads;
  }
  std::printf("locks: %d wrong\n", wrong);
  counting<<<1, 64>>>(a);
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) wrong += got[t] != 7;
  counting_long<<<1, 32>>>(a, 1000);
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) wrong += got[t] != 1000;
  std::printf("loops that write: %d wrong\n", wrong);
  voting<<<1, 64>>>(a);
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) wrong += got[t] != (t < 32 ? 3 : 8);
  std::printf("votes: %d wrong\n", wrong);
  asking<<<1, 32>>>(a);
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) wrong += got[t] != (t % 2 == 0 ? 0x55555555 : 1);
  bounded<<<1, 32>>>(a, a + 32);
  cudaMemcpy(got, a, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) wrong += got[t] != (t < 16 ? 500 : 4000);
  std::printf("%d wrong\n%s\n", wrong, wrong == 0 ? "PASS" : "FAIL");
  return wrong != 0;
}
