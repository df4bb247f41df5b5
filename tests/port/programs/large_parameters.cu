// Parameters of hundreds to thousands of bytes, whose elements each thread picks, copies or changes, of every alignment, and arrays that
// are set or copied as a whole.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

struct Bytes {
  unsigned char of[1003];
};

struct Mixed {
  char tag;
  double factors[60];
  short steps[7];
  float4 corners[5];
};

struct Nested {
  Mixed parts[3];
  int used;
};

constexpr int threads = 96;

__device__ int sum_of(const Bytes& bytes, int first, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += bytes.of[(first + i) % 1003];
  return sum;
}

__global__ void picks(Bytes bytes, Nested nested, double* out) {
  const int i = threadIdx.x;
  const Mixed part = nested.parts[i % 3];
  const Mixed& other = nested.parts[(i + 1) % nested.used];
  const float4 corner = other.corners[i % 5];
  out[i] = bytes.of[i * 7 % 1003] + sum_of(bytes, i, 20) + part.factors[i % 60] * part.steps[i % 7] + part.tag + corner.x + corner.w;
}

__device__ void raise(Mixed& part, int at) { part.factors[at] += 1000; }

// Every thread has parameters of its own to write to.
__global__ void changes(Nested nested, double* out) {
  const int i = threadIdx.x;
  for (int round = 0; round < 3; ++round) {
    Mixed copy = nested.parts[round];
    raise(copy, i % 60);
    if (i % 2 == 0) raise(nested.parts[round], i % 60);
    out[i] += copy.factors[i % 60] - nested.parts[round].factors[i % 60] + nested.parts[round].factors[(i + 1) % 60];
  }
}

// The copy is made before what it is copied from changes; both are read where one of two is chosen.
__global__ void chooses(Mixed part, double* out, int which) {
  const int i = threadIdx.x;
  const Mixed before = part;
  part.steps[i % 7] = 500;
  const Mixed* const chosen = (i + which) % 2 == 0 ? &before : &part;
  out[i] = chosen->steps[i % 7] + chosen->steps[(i + 1) % 7];
}

template <class T, int N>
struct Row {
  T of[N];
};

// Filled with zeros and with another byte, and copied to and from other memory, N elements of T.
template <class T, int N>
__global__ void fills(const Row<T, N>* in, Row<T, N>* rows, int* counts) {
  const int i = threadIdx.x;
  int count[77] = {};
  for (int k = 0; k < N; ++k) ++count[static_cast<unsigned>(in->of[k]) % 77];
  Row<T, N> row = *in;
  row.of[i % N] = static_cast<T>(i);
  __shared__ Row<T, N> kept;
  if (i == 5) kept = row;
  __syncthreads();
  unsigned char ones[131];
  memset(ones, i == 3 ? 2 : 1, sizeof ones);
  ones[i] = 9;
  rows[i] = i % 2 == 0 ? row : kept;
  counts[i] = count[i % 77] + ones[(i + 1) % 131] + ones[i];
}

static int wrong = 0;

static void expect(const char* what, int i, double value, double expected) {
  if (value != expected) {
    if (wrong < 5) printf("FAIL: %s: thread %d has %g, not %g\n", what, i, value, expected);
    ++wrong;
  }
}

template <class T, int N>
void check_fills(const char* what) {
  Row<T, N> in;
  for (int k = 0; k < N; ++k) in.of[k] = static_cast<T>(k * 5 % 101);
  Row<T, N>*device_in, *device_rows;
  int* device_counts;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_rows, threads * sizeof in);
  cudaMalloc(&device_counts, threads * sizeof(int));
  cudaMemcpy(device_in, &in, sizeof in, cudaMemcpyHostToDevice);
  fills<T, N><<<1, threads>>>(device_in, device_rows, device_counts);
  std::vector<Row<T, N>> rows(threads);
  std::vector<int> counts(threads);
  cudaMemcpy(rows.data(), device_rows, threads * sizeof in, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts.data(), device_counts, threads * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < threads; ++i) {
    int count = 0;
    for (int k = 0; k < N; ++k) count += static_cast<unsigned>(in.of[k]) % 77 == static_cast<unsigned>(i % 77);
    expect(what, i, counts[i], count + (i == 3 ? 2 : 1) + 9);
    Row<T, N> expected = in;
    const int changed = i % 2 == 0 ? i : 5;
    expected.of[changed % N] = static_cast<T>(changed);
    for (int k = 0; k < N; ++k) expect(what, i, static_cast<double>(rows[i].of[k]), static_cast<double>(expected.of[k]));
  }
  cudaFree(device_in);
  cudaFree(device_rows);
  cudaFree(device_counts);
}

int main() {
  Bytes bytes;
  for (int i = 0; i < 1003; ++i) bytes.of[i] = static_cast<unsigned char>(i * 31 % 253);
  Nested nested;
  nested.used = 3;
  for (int p = 0; p < 3; ++p) {
    Mixed& part = nested.parts[p];
    part.tag = static_cast<char>(p + 1);
    for (int i = 0; i < 60; ++i) part.factors[i] = 10 * p + 0.5 * i;
    for (int i = 0; i < 7; ++i) part.steps[i] = static_cast<short>(3 * i - p);
    for (int i = 0; i < 5; ++i) part.corners[i] = make_float4(p, i, 0, p - i);
  }
  double* device_out;
  cudaMalloc(&device_out, threads * sizeof(double));
  std::vector<double> out(threads);
  const auto fetch = [&] { cudaMemcpy(out.data(), device_out, threads * sizeof(double), cudaMemcpyDeviceToHost); };

  picks<<<1, threads>>>(bytes, nested, device_out);
  fetch();
  for (int i = 0; i < threads; ++i) {
    const Mixed& part = nested.parts[i % 3];
    const float4 corner = nested.parts[(i + 1) % 3].corners[i % 5];
    double expected = bytes.of[i * 7 % 1003] + part.factors[i % 60] * part.steps[i % 7] + part.tag + corner.x + corner.w;
    for (int k = 0; k < 20; ++k) expected += bytes.of[(i + k) % 1003];
    expect("picks", i, out[i], expected);
  }

  cudaMemset(device_out, 0, threads * sizeof(double));
  changes<<<1, threads>>>(nested, device_out);
  fetch();
  for (int i = 0; i < threads; ++i) {
    double expected = 0;
    for (int p = 0; p < 3; ++p) expected += (i % 2 == 0 ? 0 : 1000) + nested.parts[p].factors[(i + 1) % 60];
    expect("changes", i, out[i], expected);
  }

  for (int which = 0; which < 2; ++which) {
    chooses<<<1, threads>>>(nested.parts[1], device_out, which);
    fetch();
    for (int i = 0; i < threads; ++i) {
      const short* const steps = nested.parts[1].steps;
      expect("chooses", i, out[i], ((i + which) % 2 == 0 ? steps[i % 7] : 500) + steps[(i + 1) % 7]);
    }
  }
  cudaFree(device_out);

  check_fills<char, 133>("133 of char");
  check_fills<short, 75>("75 of short");
  check_fills<int, 33>("33 of int");
  check_fills<double, 40>("40 of double");
  check_fills<long long, 16>("16 of long long");
  if (const cudaError_t error = cudaDeviceSynchronize(); error != cudaSuccess) {
    printf("FAIL: %s\n", cudaGetErrorString(error));
    return 1;
  }
  if (wrong == 0) printf("PASS\n");
  return wrong == 0 ? 0 : 1;
}
