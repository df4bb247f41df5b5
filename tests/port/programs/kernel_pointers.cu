// Kernels launched through pointers: in arrays, tables of structs, containers, parameters of templates, returned by functions.
#include <cstdio>
#include <map>
#include <string>
#include <utility>
#include <vector>

typedef void (*Change)(int*, int);
using Same = Change;

__global__ void add(int* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] += 5;
}
__global__ void twice(int* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] *= 2;
}
template <class T>
__global__ void negate(T* data, int n) {
  if (threadIdx.x < n) data[threadIdx.x] = -data[threadIdx.x];
}
__global__ void nothing() {}

int on_host(int* data, int n) { return data == nullptr ? n : 0; }

struct Entry {
  const char* name;
  void (*kernel)(int*, int);
  int (*host)(int*, int);  // another type
};
Entry entries[] = {{"add", add, on_host}, {"twice", twice, on_host}};

void (*pair[2])(int* data, int n) = {add, twice};

template <class... A>
void run(void (*kernel)(A...), int threads, A... arguments) {
  kernel<<<1, threads>>>(arguments...);
}
template <class T>
void run_typed(void (*kernel)(T*, int), T* data, int n) {
  kernel<<<1, n>>>(data, n);
}
template <class K>
void run_any(K kernel, int* data, int n) {
  kernel<<<1, n>>>(data, n);
}

Change chosen(int i) { return i % 2 == 0 ? add : twice; }
auto chosen_too(int i) { return i % 2 == 0 ? &twice : &add; }

struct Holder {
  Same kernel = nullptr;
  void launch(int* data, int n) const { kernel<<<1, n>>>(data, n); }
};

int main() {
  const int n = 37;
  int* d;
  int h[n], expected = 1;
  cudaMalloc(&d, sizeof h);
  for (int& value : h) value = 1;
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);

  pair[0]<<<1, n>>>(d, n), expected += 5;
  (*pair[1])<<<1, n>>>(d, n), expected *= 2;
  Change table[] = {add, twice, negate<int>};
  for (auto kernel : table) kernel<<<1, n>>>(d, n);
  for (const Change& kernel : table) kernel<<<1, n>>>(d, n);
  for (int i = 0; i < 2; ++i) expected = -(expected + 5) * 2;
  for (const Entry& entry : entries) entry.kernel<<<1, n>>>(d, n);
  expected = (expected + 5) * 2 + entries[0].host(h, 3);
  for (const auto& [name, kernel, host] : entries) kernel<<<1, n>>>(d, n);
  expected = (expected + 5) * 2;
  std::vector<void (*)(int*, int)> kernels{add, twice};
  kernels[1]<<<1, n>>>(d, n), kernels.back()<<<1, n>>>(d, n), expected *= 4;
  std::map<std::string, Change> by_name{{"add", add}};
  by_name["add"]<<<1, n>>>(d, n), by_name.at("add")<<<1, n>>>(d, n), expected += 10;
  for (const auto& item : by_name) item.second<<<1, n>>>(d, n);
  expected += 5;
  const std::pair<int, Change> numbered(1, twice);
  numbered.second<<<1, n>>>(d, n), expected *= 2;
  run(add, n, d, n), expected += 5;
  run(nothing, 3);
  run_typed(negate<int>, d, n), expected = -expected;
  run_any(twice, d, n), expected *= 2;
  chosen(0)<<<1, n>>>(d, n), chosen_too(0)<<<1, n>>>(d, n), expected = (expected + 5) * 2;
  (n > 3 ? add : twice)<<<1, n>>>(d, n), expected += 5;
  Holder holder;
  holder.kernel = negate<int>;
  holder.launch(d, n), expected = -expected;
  decltype(&add) derived = add;
  derived<<<1, n>>>(d, n), expected += 5;
  void* hidden = reinterpret_cast<void*>(chosen(1));
  ((Change)hidden)<<<1, n>>>(d, n), expected *= 2;
  reinterpret_cast<void (*)(int*, int)>(hidden)<<<1, n>>>(d, n), expected *= 2;

  cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int value : h) wrong += value != expected;
  cudaFree(d);
  std::printf("%d wrong: %s\n", wrong, wrong == 0 && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
  return wrong;
}
