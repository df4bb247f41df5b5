// Places of launches: a macro, a template function, a loop, a method, a lambda, a ternary's branch, a comma, a function pointer.
#include <cstdio>

__global__ void add(int* out, int value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] += value;
  }
}

template <typename T>
__global__ void add_typed(T* out, T value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] += value;
  }
}

#define BLOCKS(n, size) (((n) + (size) - 1) / (size))
#define LAUNCH(kernel, n, size, ...) kernel<<<BLOCKS(n, size), size>>>(__VA_ARGS__)
#define CHECK(call)                                           \
  do {                                                        \
    cudaError_t status_ = (call);                             \
    if (status_ != cudaSuccess) {                             \
      std::printf("FAIL: %s\n", cudaGetErrorString(status_)); \
      return 1;                                               \
    }                                                         \
  } while (0)

template <typename T>
void add_in_template(T* data, T value, int n) {
  add_typed<<<BLOCKS(n, 96), 96>>>(data, value, n);
  add_typed<T><<<dim3(BLOCKS(n, 250)), dim3(250), 0>>>(data, value, n);
}

struct Adder {
  int* data;
  int n;
  void run(int value) const { add<<<BLOCKS(n, 33), 33, 0, 0>>>(data, value, n); }
};

int main() {
  const int n = 1000;
  int expected = 0;
  int* data = NULL;
  CHECK(cudaMalloc((void**)&data, n * sizeof(int)));
  CHECK(cudaMemset(data, 0, n * sizeof(int)));

  LAUNCH(add, n, 7, data, 1, n);
  expected += 1;
  LAUNCH((add_typed<int>), n, 33, data, 2, n);
  expected += 2;
  add_in_template(data, 3, n);
  expected += 6;
  for (int i = 0; i < 10; i++)
    add<<<BLOCKS(n, 1024), 1024>>>(data, i, n);
  expected += 45;
  Adder{data, n}.run(100);
  expected += 100;
  auto later = [=](int value) { add<<<BLOCKS(n, 64), 64>>>(data, value, n); };
  later(1000);
  later(2000);
  expected += 3000;
  if (expected % 2 == 0)
    add<<<BLOCKS(n, 128), 128>>>(data, 10000, n);
  else
    add<<<BLOCKS(n, 128), 128>>>(data, 20000, n);
  expected += expected % 2 == 0 ? 10000 : 20000;
  add<<<BLOCKS(n, 1), 1>>>(data, 5, n), add<<<BLOCKS(n, 256), 256>>>(data, 6, n);
  expected += 11;
  void (*chosen)(int*, int, int) = add;
  chosen<<<BLOCKS(n, 250), 250>>>(data, 100000, n);
  expected += 100000;
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());

  int host[n];
  CHECK(cudaMemcpy(host, data, sizeof host, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(data));
  for (int i = 0; i < n; i++) {
    if (host[i] != expected) {
      std::printf("FAIL: element %d is %d, not %d\n", i, host[i], expected);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
