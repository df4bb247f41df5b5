// Device variables that are static members of classes, and those of types without a name.
#include <cstdio>

namespace counting {
class Counter {
 public:
  __device__ static void hit(int by) { atomicAdd(&hits_, by); }
  static int hits() {
    int hits = 0;
    cudaMemcpyFromSymbol(&hits, hits_, sizeof hits);
    return hits;
  }
  struct Limits {
    static __constant__ int table[4];
  };

 private:
  static __device__ int hits_;
};
__device__ int Counter::hits_ = 5;
}  // namespace counting
__constant__ int counting::Counter::Limits::table[4] = {4, 3, 2, 1};

namespace {
struct Local {
  static __device__ int seen;
};
__device__ int Local::seen = 7;
}  // namespace

__constant__ struct {
  int scale;
  float shift;
} setting;
struct {
  int x;
} plain;  // the host's
__device__ struct { int last[2]; } state, other;

__global__ void run(float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    counting::Counter::hit(counting::Counter::Limits::table[i % 4]);
    out[i] = i * setting.scale + setting.shift + Local::seen;
    if (i == n - 1) {
      state.last[1] = i;
      other.last[0] = 2 * i;
    }
  }
}

int main() {
  const int n = 400;
  float* out;
  static float got[n];
  cudaMalloc(&out, n * sizeof(float));
  struct {
    int scale;
    float shift;
  } values = {3, 0.5f};
  cudaMemcpyToSymbol(setting, &values, sizeof values);
  const int table[2] = {10, 20};
  cudaMemcpyToSymbol(counting::Counter::Limits::table, table, sizeof table, sizeof(int));
  run<<<5, 96>>>(out, n);
  cudaMemcpy(got, out, n * sizeof(float), cudaMemcpyDeviceToHost);
  plain.x = 0;
  for (int i = 0; i < n; ++i) {
    plain.x += got[i] != i * 3 + 7.5f;
  }
  int last[2] = {}, first[2] = {};
  cudaMemcpyFromSymbol(last, state, sizeof last);
  cudaMemcpyFromSymbol(first, other, sizeof first);
  plain.x += counting::Counter::hits() != 5 + 100 * (4 + 10 + 20 + 1);
  plain.x += last[1] != n - 1 || last[0] != 0 || first[0] != 2 * (n - 1);
  cudaFree(out);
  std::printf("%d wrong: %s\n", plain.x, plain.x == 0 && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
  return plain.x;
}
