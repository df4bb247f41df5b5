// Arguments of kernels: a struct of 400 bytes, nested structs, NULL, conversions of numbers at the launch, enums, arrays that
// decay.
#include <cstdint>
#include <cstdio>

struct Inner {
  double weights[40];
  char tag;
};
struct Settings {
  Inner inner;
  int offset;
  const int* table;
  float scale[14];
};
enum class Mode { copy, negate };
typedef unsigned char byte;

__global__ void with_struct(double* out, Settings settings, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    settings.offset += i;  // the thread's own copy
    out[i] =
        settings.inner.weights[i % 40] * settings.scale[i % 14] + settings.table[i % 5] + settings.offset + settings.inner.tag;
  }
}

__global__ void with_null(double* out, const int* optional, const float* other, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = (optional == nullptr ? 1 : 0) + (other ? 0 : 2);
  }
}

__global__ void converted(double* out, float real, std::int64_t wide, byte narrow, bool flag, Mode mode, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const double sum = real + static_cast<double>(wide) + narrow + (flag ? 0.5 : 0.25);
    out[i] = mode == Mode::negate ? -sum : sum;
  }
}

static_assert(sizeof(Settings) > 256, "the struct is to be a large one");

int main() {
  const int n = 199;
  double* out;
  double host[n];
  const int table[5] = {10, 20, 30, 40, 50};
  int* device_table;
  cudaMalloc(&out, sizeof host);
  cudaMalloc(&device_table, sizeof table);
  cudaMemcpy(device_table, table, sizeof table, cudaMemcpyHostToDevice);

  Settings settings;
  for (int i = 0; i < 40; ++i) {
    settings.inner.weights[i] = i * 0.5;
  }
  for (int i = 0; i < 14; ++i) {
    settings.scale[i] = static_cast<float>(i - 4);
  }
  settings.inner.tag = 'A';
  settings.offset = -7;
  settings.table = device_table;
  with_struct<<<(n + 6) / 7, 7>>>(out, settings, n);
  settings.offset = 1000;  // too late: the kernel has its copy
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != (i % 40) * 0.5 * (i % 14 - 4) + table[i % 5] + (i - 7) + 'A') {
      std::printf("FAIL: struct by value at %d\n", i);
      return 1;
    }
  }
  with_null<<<2, 100>>>(out, NULL, 0, n);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != 3) {
      std::printf("FAIL: NULL at %d\n", i);
      return 1;
    }
  }
  const std::size_t wide = 4000000000u;
  converted<<<1, 250>>>(out, 2.25, wide, 0x1fe, &host, Mode::negate, std::int64_t{n});  // 0x1fe becomes 0xfe, the pointer true
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    if (host[i] != -(2.25 + 4000000000.0 + 0xfe + 0.5)) {
      std::printf("FAIL: conversions at %d: %f\n", i, host[i]);
      return 1;
    }
  }
  cudaFree(out);
  cudaFree(device_table);
  std::printf("PASS\n");
  return 0;
}
