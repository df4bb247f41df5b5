// Barriers in for, while and do loops and in if, with break and continue, nested, under #pragma unroll and in a switch.
#include <cstdio>

constexpr int size = 33;

// Each step shifts the row by one and adds something that tells which step it was.
#define SHIFT(amount)                       \
  {                                         \
    const int taken_ = row[(t + 1) % size]; \
    __syncthreads();                        \
    row[t] = taken_ + (amount);             \
    __syncthreads();                        \
  }

__global__ void loops(int* data, int steps) {
  __shared__ int row[size];
  const int t = threadIdx.x;
  row[t] = data[blockIdx.x * size + t];
  __syncthreads();
  for (int i = 0, j = 10; i < steps; ++i, j += 2) {  // break and continue
    if (i == 3)
      continue;
    if (j == 24)
      break;
    SHIFT(i + j)
  }
  int left = steps;
  while (left > 0) {
    SHIFT(left)
    left -= 2;
    if (left == 3) {
      left = 1;
      continue;
    }
    if (blockIdx.x == 1 && left < 3)
      break;
    for (int k = 0; k < 2; ++k) {
      SHIFT(k * blockIdx.x)
    }
  }
  unsigned rounds = 3;
  do {
    SHIFT(1)
    if (rounds == 2) {
      SHIFT(100)
    } else if (rounds == 1) {
      SHIFT(200)
      SHIFT(300)
    }
  } while (--rounds != 0);
#pragma unroll
  for (int i = 0; i < 3; i++)
    SHIFT(i)
#pragma unroll 2
  for (int i = 5; i >= 0; i -= 2) {
    SHIFT(i)
  }
  switch (blockIdx.x) {
    case 0:
      SHIFT(7)
      break;
    case 1:
      SHIFT(8)
      [[fallthrough]];
    default:
      SHIFT(9)
  }
  for (;;) {
    SHIFT(4)
    if (++left > 3)
      break;
  }
  data[blockIdx.x * size + t] = row[t];
}

// How the row of block `block` moves on the whole and what it gains.
static void follow(int block, int steps, int& moved, int& gained) {
  moved = gained = 0;
  auto shift = [&](int amount) { ++moved, gained += amount; };
  for (int i = 0, j = 10; i < steps && j != 24; ++i, j += 2)
    if (i != 3)
      shift(i + j);
  int left = steps;
  while (left > 0) {
    shift(left);
    left -= 2;
    if (left == 3) {
      left = 1;
      continue;
    }
    if (block == 1 && left < 3)
      break;
    shift(0), shift(block);
  }
  shift(1), shift(1), shift(100), shift(1), shift(200), shift(300);
  shift(0), shift(1), shift(2), shift(5), shift(3), shift(1);
  if (block == 0)
    shift(7);
  if (block == 1)
    shift(8);
  if (block != 0)
    shift(9);
  do
    shift(4);
  while (++left <= 3);
}

int main() {
  const int blocks = 3;
  int host[blocks * size], *device;
  cudaMalloc(&device, sizeof host);
  for (int steps : {0, 1, 5, 8, 11}) {
    for (int i = 0; i < blocks * size; ++i)
      host[i] = i * i;
    cudaMemcpy(device, host, sizeof host, cudaMemcpyHostToDevice);
    loops<<<blocks, size>>>(device, steps);
    cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < blocks * size; ++i) {
      int moved, gained;
      follow(i / size, steps, moved, gained);
      const int from = i / size * size + (i % size + moved) % size;
      if (host[i] != from * from + gained) {
        std::printf("FAIL: %d steps, element %d\n", steps, i);
        return 1;
      }
    }
  }
  cudaFree(device);
  std::printf("PASS\n");
  return 0;
}
