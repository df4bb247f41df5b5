// Device functions: recursion, methods, functions that read threadIdx, host and device functions used on both sides, references.
#include <cstdio>

__device__ unsigned ackermann(unsigned m, unsigned n) {
  if (m == 0) {
    return n + 1;
  }
  return n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__device__ bool is_odd(unsigned n);
__device__ bool is_even(unsigned n) {
  return n == 0 || is_odd(n - 1);
}
__device__ bool is_odd(unsigned n) {
  return n != 0 && is_even(n - 1);
}

__device__ __forceinline__ int global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}
__device__ __noinline__ int threads_of_grid() {
  return gridDim.x * blockDim.x;
}

__host__ __device__ inline void sort_two(int& a, int& b) {
  if (b < a) {
    const int kept = a;
    a = b;
    b = kept;
  }
}

class Complex {
 public:
  __host__ __device__ Complex(int re, int im) : re_(re), im_(im) {}
  __host__ __device__ Complex operator*(const Complex& other) const {
    return {re_ * other.re_ - im_ * other.im_, re_ * other.im_ + im_ * other.re_};
  }
  __host__ __device__ Complex& operator+=(const Complex& other) {
    re_ += other.re_;
    im_ += other.im_;
    return *this;
  }
  __device__ static Complex of_thread() { return {static_cast<int>(threadIdx.x), global_index()}; }
  __host__ __device__ int norm() const { return re_ * re_ + im_ * im_; }

 private:
  int re_, im_;
};

template <typename T>
__host__ __device__ T clamped(T value, T low, T high) {
  return value < low ? low : high < value ? high : value;
}

__host__ __device__ int mixed(int i, Complex c) {
  int a = i % 17, b = i % 13;
  sort_two(a, b);
  Complex z = c * Complex(a, b);
  z += Complex(clamped(i, 5, 20), -1);
  return z.norm();
}

__global__ void run(int* out, int n) {
  for (int i = global_index(); i < n; i += threads_of_grid()) {
    Complex c = Complex::of_thread();
    out[i] = mixed(i, c) + static_cast<int>(ackermann(2, i % 4)) + (is_even(i % 50) ? 1000 : 0);
  }
}

int main() {
  const int n = 777, block = 33, grid = 4;
  int host[n];
  int* device;
  cudaMalloc(&device, sizeof host);
  run<<<grid, block>>>(device, n);
  cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost);
  cudaFree(device);
  for (int i = 0; i < n; ++i) {
    const int thread = i % (block * grid);
    const int expected = mixed(i, Complex(thread % block, thread)) + (2 * (i % 4) + 3) + (i % 50 % 2 == 0 ? 1000 : 0);
    if (host[i] != expected) {
      std::printf("FAIL: element %d is %d, not %d\n", i, host[i], expected);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
