// Macros that hold a kernel's <<<...>>> without its arguments, or take the arguments from elsewhere: with the kernel's name, its
// template arguments, a part of its name or none of it; nested, in templates, lambdas, conditions, expressions and other macros.
#include <cuda_runtime.h>

#include <cstdio>
#include <utility>

#include "macro_launches.cuh"

constexpr int threads = 32;

__global__ void add(int* sum, int value) {
  if (sum != nullptr) {
    atomicAdd(sum, value);
  }
}

__global__ void add_one(int* sum) {
  atomicAdd(sum, 1);
}

__global__ void nothing() {}

template <int Factor, class T>
__global__ void add_product(T* sum, T value) {
  atomicAdd(sum, T(Factor) * value);
}

namespace inner {
__global__ void add_by_default(int* sum, int value = 2) {
  atomicAdd(sum, value);
}
}  // namespace inner

// The configuration is all arguments, two of them, or the macro's own.
#define LAUNCH(kernel, ...) kernel<<<__VA_ARGS__>>>
#define LAUNCH_TWO(kernel, grid, block) kernel<<<grid, block>>>
#define ADD add<<<grid, block>>>
#define ADD_BY_DEFAULT inner::add_by_default<<<1, threads>>>
#define PRODUCT(T, ...) add_product<3, T><<<__VA_ARGS__>>>
#define PASTED(name) add_##name<<<1, threads>>>
#define PASTED_LEFT(name) name##_one<<<1, threads>>>
#define ON_BLOCKS(blocks) <<<blocks, threads>>>
#define LAUNCH_ON_BLOCKS(kernel, blocks) kernel ON_BLOCKS(blocks)
#define ADD_OUTER(block) LAUNCH_TWO(add, 1, block)
#define ADD_OUTERMOST(block) ADD_OUTER(block)
#define IN_A_STREAM(kernel, bytes) \
  kernel                           \
      <<<dim3(1, 1), dim3(threads, 1), bytes, stream>>>
// The arguments, none of them too, are the macro's, with their parentheses or without.
#define WITH_LIST(kernel, list) kernel<<<1, threads>>>list
#define WITH_ARGUMENTS(kernel, ...) kernel<<<1, threads>>>(__VA_ARGS__)
#define WITH_NAMED_ARGUMENTS(kernel, arguments...) kernel<<<1, threads>>>(arguments)
#define WITH_MORE_ARGUMENTS(kernel, more...) kernel<<<1, threads>>>(sum, ##more)
#define WITH_INNER_ARGUMENTS(kernel, ...) WITH_ARGUMENTS(kernel, __VA_ARGS__)
#define ARGUMENTS (sum, 4)
#define BEGIN_LAUNCH(kernel) kernel<<<1, threads>>>(
#define END_LAUNCH )
// Others that launches stand in.
#define CHECK(...)                                            \
  do {                                                        \
    __VA_ARGS__;                                              \
    cudaError_t status_ = cudaGetLastError();                 \
    if (status_ != cudaSuccess) {                             \
      std::printf("FAIL: %s\n", cudaGetErrorString(status_)); \
      return 1;                                               \
    }                                                         \
  } while (0)
#define FOR_TYPE(is_int, ...) \
  if (is_int) {               \
    using T = int;            \
    __VA_ARGS__               \
  } else {                    \
    using T = unsigned;       \
    __VA_ARGS__               \
  }

template <class T>
struct Products {
  int block;
  static void once(T* sum) {
    PRODUCT(T, 1, threads)(sum, T(1));
  }
  void twice(T* sum) const {
    PRODUCT(T, 1, block)(sum, T(1));
    LAUNCH((add_product<4, T>), 1, block)(sum, T(1));
  }
};

template <void (*Kernel)(int*, int)>
void launch_parameter(int* sum) {
  LAUNCH(Kernel, 1, threads)(sum, 5);
}

template <class Kernel>
void launch_deduced(Kernel kernel, int* sum) {
  LAUNCH_TWO(kernel, 1, threads)(sum, 6);
}

static int expected = 0;
static int wrong = 0;

/// Each launch adds `value` once in each of 32 threads.
static void expect(const int* sum, int value, const char* what) {
  expected += value;
  int found = 0;
  cudaMemcpy(&found, sum, sizeof found, cudaMemcpyDeviceToHost);
  if (found != threads * expected) {
    std::printf("FAIL: %s: %d, not %d\n", what, found, threads * expected);
    ++wrong;
  }
}

int main() {
  const int grid = 1;
  int block = threads;
  cudaStream_t stream = nullptr;
  int* sum = nullptr;
  cudaMalloc(&sum, sizeof *sum);
  cudaMemset(sum, 0, sizeof *sum);

  LAUNCH(add, grid, block)(sum, 1);
  LAUNCH(add, grid, block, 16, stream)(sum, 2);
  LAUNCH_TWO(add, dim3(grid), dim3(16, 2))(sum, 3);
  LAUNCH(nothing, grid, block)();
  expect(sum, 6, "the configuration as arguments");
  ADD(sum, 1);
  ADD(0, 1);
  ADD(NULL, 1);
  ADD(nullptr, 1);
  ADD_BY_DEFAULT(sum);
  ADD_BY_DEFAULT(sum, 3);
  expect(sum, 6, "the whole kernel in a macro");
  ADD_ON_GRID(sum, 1);
  LAUNCH_FROM_HEADER(add, 1, threads)(sum, 2);
  expect(sum, 3, "a macro in a header");
  PRODUCT(int, grid, block)(sum, 2);
  LAUNCH((add_product<2, int>), grid, block)(sum, 2);
  LAUNCH(add_product<2>, grid, block)(sum, 2);
  expect(sum, 14, "template arguments");
  PASTED(one)(sum);
  PASTED_LEFT(add)(sum);
  LAUNCH_ON_BLOCKS(add, 2)(sum, 1);
  add ON_BLOCKS(3) ARGUMENTS;
  LAUNCH_ON_BLOCKS(add, 1) ARGUMENTS;
  expect(sum, 20, "names and configurations by macros");
  ADD_OUTER(threads)(sum, 1);
  ADD_OUTERMOST(block)(sum, 2);
  IN_A_STREAM(add, 0)(sum, 3);
  expect(sum, 6, "nested macros");
  WITH_LIST(add, (sum, 1));
  WITH_LIST(nothing, ());
  WITH_ARGUMENTS(add, sum, 2);
  WITH_ARGUMENTS(nothing);
  WITH_NAMED_ARGUMENTS(add, sum, 3);
  WITH_NAMED_ARGUMENTS(nothing);
  WITH_MORE_ARGUMENTS(add, 4);
  WITH_MORE_ARGUMENTS(add_one);
  WITH_INNER_ARGUMENTS(add, sum, 5);
  WITH_INNER_ARGUMENTS(nothing);
  BEGIN_LAUNCH(add) sum, 6 END_LAUNCH;
  expect(sum, 22, "arguments by macros");
  CHECK(add<<<grid, block>>>(sum, 1));
  CHECK(ADD(sum, 2));
  CHECK((LAUNCH(add, grid, block)(sum, 3)));
  FOR_TYPE(true, add_product<2><<<1, 32>>>((T*)sum, (T)1); PRODUCT(T, 1, threads)((T*)sum, (T)1);)
  expect(sum, 11, "launches as arguments of macros");
  cudaError_t status = (add<<<grid, block>>>(sum, 1), cudaGetLastError());
  status = status == cudaSuccess ? (ADD(sum, 2), cudaGetLastError()) : status;
  status == cudaSuccess ? ADD(sum, 3) : LAUNCH(add, grid, block)(sum, 30);
  status == cudaSuccess ? add<<<grid, block>>>(sum, 4) : add<<<grid, block>>>(sum, 40);
  if (status != cudaSuccess)
    ADD(sum, 50);
  else
    LAUNCH_TWO(add, grid, block)(sum, 5);
  for (int i = 0; i < 3; ++i) LAUNCH(add, grid, block)(sum, i);
  expect(sum, 18, "expressions and conditions");
  Products<int>::once(sum);
  Products<int>{threads}.twice(sum);
  launch_parameter<add>(sum);
  launch_deduced(add, sum);
  expect(sum, 21, "templates");
  const auto later = [=](auto value) {
    ADD(sum, value);
    LAUNCH(add_product<2>, 1, threads)(sum, value);
  };
  later(2);
  const auto [blocks, value] = std::pair(1, 3);
  LAUNCH_TWO(add, blocks, threads)(sum, value);
  void (*const kernels[])(int*, int) = {add, inner::add_by_default};
  LAUNCH(kernels[1], grid, block)(sum, 4);
  expect(sum, 13, "lambdas, bindings and pointers");

  cudaFree(sum);
  std::printf(wrong != 0 ? "FAIL\n" : "PASS\n");
  return wrong;
}
