// Kernels that the pass of thread_lanes must run in lanes, and some that it must leave.
#include <cuda_runtime.h>

__global__ void column_sums(const unsigned *in, unsigned *out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  unsigned sum = 0;
  for (int row = 0; row < rows; ++row) sum = sum * 3u + in[row * columns + column];
  out[column] = sum;
}

__global__ void nearest(const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  for (int j = 0; j < n; ++j) {
    float distance = x[j] - x[i];
    if (distance * distance < best && distance != 0.0f) best = distance * distance;
  }
  out[i] = best;
}

__global__ void over_the_grid(const float *x, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) out[i] = 1.0f / (1.0f + x[i] * x[i]);
}

__global__ void own_array(const float *x, float *out, int n, int turns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float ring[4] = {x[i], 0.0f, 0.0f, 0.0f};
  for (int turn = 1; turn < turns; ++turn) ring[turn & 3] = ring[(turn - 1) & 3] * 0.5f + ring[(turn + 2) & 3];
  out[i] = ring[0] + ring[1] + ring[2] + ring[3];
}

// Arrays of 8 KiB: four of them in the lanes of a vector of 8 take 256 KiB of a stack, nine are left.
template <int N> __device__ float through(const float *x, int turns) {
  float ring[2048];
  for (int turn = 0; turn < turns; ++turn) ring[turn & 2047] = turn < 2048 ? x[turn * N] : ring[(turn - N) & 2047] * 0.5f + ring[(turn + N) & 2047];
  return N == 1 ? ring[turns & 2047] : ring[turns & 2047] + through<N == 1 ? 1 : N - 1>(x + turns, turns);
}

__global__ void four_arrays(const float *x, float *out, int turns) {
  out[threadIdx.x] = through<4>(x + threadIdx.x, turns);
}

__global__ void nine_arrays(const float *x, float *out, int turns) {
  out[threadIdx.x] = through<9>(x + threadIdx.x, turns);
}

// A search whose loop threads leave in its middle.
__global__ void search(const int *sorted, int *out, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < most; ++k) {
    if (sorted[(i + k) % n] == i) {
      out[i] = k;
      break;
    }
  }
}

// Indices of rows and columns, by division.
__global__ void swapped(const float *x, float *out, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  out[i] = x[i % columns * rows + i / columns];
}

// A function that writes a thread's own variables, with a loop behind a branch on data.
__device__ void sum_of_row(const int *begin, const float *x, int i, float *sum, float *most) {
  if (x[i] > 0.0f) {
    for (int k = begin[i]; k < begin[i + 1]; ++k) {
      *sum += x[k];
      *most = fmaxf(*most, x[k]);
    }
  }
}

__global__ void rows(const int *begin, const float *x, float *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0.0f, most = 0.0f, sine, cosine;
  sum_of_row(begin, x, i, &sum, &most);
  sincosf(most, &sine, &cosine);
  out[i] = sum * sine + cosine;
}

// Threads that wait for one another, one by one: left.
__global__ void exchange(unsigned *lock, int *count) {
  while (atomicCAS(lock, 0u, 1u) != 0u) {
  }
  *count += 1;
  atomicExch(lock, 0u);
}

int main() {
  column_sums<<<1, 64>>>(nullptr, nullptr, 0, 0);
  nearest<<<1, 64>>>(nullptr, nullptr, 0);
  over_the_grid<<<1, 64>>>(nullptr, nullptr, 0);
  own_array<<<1, 64>>>(nullptr, nullptr, 0, 0);
  four_arrays<<<1, 64>>>(nullptr, nullptr, 0);
  nine_arrays<<<1, 64>>>(nullptr, nullptr, 0);
  search<<<0, 64>>>(nullptr, nullptr, 1, 0);
  swapped<<<1, 64>>>(nullptr, nullptr, 0, 0);
  rows<<<1, 64>>>(nullptr, nullptr, nullptr, 0);
  exchange<<<0, 64>>>(nullptr, nullptr);
}
