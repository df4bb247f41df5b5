// Threads that do nothing together may run in the lanes of vectors on the host. Here they have arrays of their own, pointers and
// references to their own variables, and memory that several names lead to.
#include <cstdio>
#include <cuda_runtime.h>

constexpr int n = 1000;
constexpr int longest_grid = n + 256;

struct Vector {
  int values[3];
  __host__ __device__ int at(int i) const { return values[i]; }
};

struct Stack {
  int values[8];
  int used = 0;
  __host__ __device__ void push(int value) { values[used++ & 7] = value; }
  __host__ __device__ int pop() { return values[--used & 7]; }
};

__host__ __device__ int in_array(int seed) {
  int bins[8] = {};
  for (int i = 0; i < 20; ++i) bins[(seed >> (i & 7)) & 7] += i;
  return bins[seed & 7] * 3 + bins[(seed + 5) & 7];
}

__host__ __device__ int in_table(int seed) {
  int table[8];
  for (int i = 0; i < 8; ++i) table[i] = seed + i;
  table[seed & 7] = 5;
  return table[(seed + 3) & 7];
}

__host__ __device__ int by_pointer(int seed) {
  int even = seed, odd = 3 * seed;
  int *chosen = seed & 1 ? &odd : &even;
  *chosen += 7;
  (seed & 2 ? even : odd) -= 5;
  return even * 11 + odd;
}

__host__ __device__ int in_members(int seed) {
  const Vector vector = {{seed, seed * 2, seed * 5}};
  return vector.at(seed % 3) + vector.at((seed + 1) % 3) * 2;
}

__host__ __device__ int in_stack(int seed) {
  Stack stack;
  for (int i = 0; i < 3 + (seed & 3); ++i) stack.push(seed + i);
  return stack.pop() * 2 + stack.pop();
}

__global__ void in_array_kernel(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in_array(in[i]);
}

__global__ void in_table_kernel(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in_table(in[i]);  // the arrays are as long as the grid
}

__global__ void by_pointer_kernel(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = by_pointer(in[i]);
}

__global__ void in_members_kernel(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in_members(in[i]);
}

__global__ void in_stack_kernel(const int *in, int *out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in_stack(in[i]);
}

// What a thread reads after it has written, under another name and in steps of two.
__global__ void two_names(int *first, int *second, const int *in) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int before = second[2 * i];
    first[2 * i + 1] = in[i] * 3;
    const int after = second[2 * i + 1];
    second[2 * i] = before + after;
    first[2 * i + 1] = first[2 * i] - after * 2;
  }
}

// Memory that an index leads to; no two threads use the same.
__global__ void scattered(int *data, const int *where) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    data[where[i]] = data[where[i]] * 2 + i;
    if (data[where[i]] & 1) data[where[i]] += 100;
  }
}

static int differing(const char *name, const int *got, const int *expected, int count) {
  int differ = 0;
  for (int i = 0; i < count; ++i) differ += got[i] != expected[i];
  printf("%s: %d differ\n", name, differ);
  return differ;
}

int main() {
  int *in, *out, *pairs, *where;
  cudaMallocManaged(&in, longest_grid * sizeof(int));
  cudaMallocManaged(&out, longest_grid * sizeof(int));
  cudaMallocManaged(&pairs, 2 * n * sizeof(int));
  cudaMallocManaged(&where, n * sizeof(int));
  static int expected[2 * n];
  unsigned state = 2026;
  for (int i = 0; i < longest_grid; ++i) {
    state = state * 1103515245u + 12345u;
    in[i] = static_cast<int>(state >> 16);
  }
  for (int i = 0; i < n; ++i) where[i] = i * 7 % n;  // 7 has no divisor in common with 1000
  int bad = 0;
  for (const int threads : {1, 13, 64, 100, 256}) {
    const int blocks = (n + threads - 1) / threads;
#define CHECK(NAME) \
  NAME##_kernel<<<blocks, threads>>>(in, out); \
  cudaDeviceSynchronize(); \
  for (int i = 0; i < n; ++i) expected[i] = NAME(in[i]); \
  bad += differing(#NAME, out, expected, n);
    CHECK(in_array)
    CHECK(in_table)
    CHECK(by_pointer)
    CHECK(in_members)
    CHECK(in_stack)
    for (int i = 0; i < 2 * n; ++i) pairs[i] = expected[i] = i * 5;
    two_names<<<blocks, threads>>>(pairs, pairs, in);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
      expected[2 * i] += in[i] * 3;
      expected[2 * i + 1] = expected[2 * i] - in[i] * 6;
    }
    bad += differing("two_names", pairs, expected, 2 * n);
    for (int i = 0; i < n; ++i) out[i] = expected[i] = in[i];
    scattered<<<blocks, threads>>>(out, where);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; ++i) {
      int &value = expected[where[i]];
      value = value * 2 + i;
      value += value & 1 ? 100 : 0;
    }
    bad += differing("scattered", out, expected, n);
  }
  printf(bad == 0 ? "PASS\n" : "FAIL\n");
  return bad != 0;
}
