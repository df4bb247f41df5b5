// Independent threads whose sums of indices wrap, that write under conditions on indices, or that let functions write their own
// variables: each kernel against its thread's function called for one thread after another.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>
#include <cuda_runtime.h>

struct Five {
  unsigned words[5];
};

__host__ __device__ __attribute__((noinline)) void split(unsigned value, unsigned& low, unsigned& high) {
  low = value * 3u;
  high = value ^ 55u;
}

__host__ __device__ __attribute__((noinline)) Five five(unsigned value) {
  return {{value, value + 1u, value * 2u, value ^ 3u, value & 7u}};
}

/// A kernel, and the same for one thread after another. i is the thread's number and may wrap; x counts threads from 0.
#define KERNEL(name, ...)                                                                                           \
  __host__ __device__ inline __attribute__((always_inline)) void name##_of(unsigned x, unsigned i, unsigned m,      \
                                                                           const unsigned* in, unsigned* out) __VA_ARGS__  \
  __global__ void name(unsigned first, unsigned m, const unsigned* in, unsigned* out) {                             \
    name##_of(threadIdx.x, first + threadIdx.x, m, in, out);                                                        \
  }                                                                                                                 \
  __attribute__((noinline)) void plain_##name(unsigned threads, unsigned first, unsigned m, const unsigned* in,     \
                                              unsigned* out) {                                                      \
    _Pragma("clang loop vectorize(disable)") for (unsigned x = 0; x < threads; ++x) name##_of(x, first + x, m, in, out); \
  }

// `i | 1` is `i + 1` in threads that run it, not in those that do not.
KERNEL(next_to_even, {
  out[x + 4096] = 3;
  unsigned sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum = sum * 3u + in[k * 8 + x];
  if ((i & 1u) == 0u && i < 4096u) out[i | 1u] = sum;
})

// Both indices grow by one from thread to thread, but only one wraps.
KERNEL(difference, {
  out[x + 4096] = 3;
  unsigned sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum = sum * 3u + in[k * 8 + x];
  const unsigned long long apart = static_cast<unsigned long long>(x + m) - static_cast<unsigned long long>(x);
  out[x] = sum + static_cast<unsigned>(apart >> 32);
})

KERNEL(references, {
  unsigned sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum = sum * 3u + in[k * 8 + x];
  unsigned low;
  unsigned high;
  split(sum, low, high);
  for (unsigned k = 0; k < 9; ++k) sum = sum * 5u + in[k * 8 + x] * low + high;
  out[x] = sum;
})

KERNEL(results, {
  unsigned sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum = sum * 3u + in[k * 8 + x];
  const Five parts = five(sum);
  for (unsigned k = 0; k < 9; ++k) sum = sum * 5u + in[k * 8 + x] * parts.words[1] + parts.words[3];
  out[x] = sum;
})

KERNEL(exponents, {
  unsigned sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum = sum * 3u + in[k * 8 + x];
  int exponent;
  const float part = frexpf(static_cast<float>(sum), &exponent);
  for (unsigned k = 0; k < 9; ++k) sum = sum * 5u + in[k * 8 + x] * static_cast<unsigned>(exponent);
  out[x] = sum + static_cast<unsigned>(part * 1024.0f);
})

KERNEL(pointers, {
  unsigned one;
  unsigned other;
  unsigned* const both[2] = {&one, &other};
  for (unsigned k = 0; k < 2; ++k) *both[(k + m) & 1u] = in[x + k];
  unsigned sum = 0;
  for (unsigned k = 0; k < 9; ++k) sum = sum * 3u + in[k * 8 + x] * one + other;
  out[x] = sum;
})

KERNEL(filled, {
  unsigned char own[64];
  memset(own, static_cast<int>(in[x]), sizeof(own));
  own[in[x + 1] & 63u] = 7;
  unsigned sum = 0;
  for (unsigned k = 0; k < 64; ++k) sum = sum * 3u + own[k * m & 63u] + in[k * 8 + x];
  out[x] = sum;
})

KERNEL(filled_alike, {
  unsigned own[64];
  memset(own, static_cast<int>(in[m & 63u] + 5u), sizeof(own));
  own[in[x + 1] & 63u] = 7;
  unsigned sum = 0;
  for (unsigned k = 0; k < 64; ++k) sum = sum * 3u + own[k] * (in[k * 8 + x] ^ in[k + x]);
  out[x] = sum;
})

// Numbers of four bytes at any byte of a thread's own array.
KERNEL(anywhere, {
  unsigned char own[64];
  for (unsigned k = 0; k < 16; ++k) memcpy(own + 4 * k, &in[k * 8 + x], 4);
  unsigned sum = m;
  for (unsigned k = 0; k < 32; ++k) {
    unsigned word;
    memcpy(&word, own + (sum + k) % 60u, 4);
    sum = sum * 3u + word;
  }
  out[x] = sum;
})

// A loop that threads leave together in its middle, and that writes behind that; then a branch on indices.
KERNEL(left_in_middle, {
  const unsigned* const flags = in + 2048;
  unsigned sum = in[x];
  unsigned k = 0;
  for (;;) {
    if ((flags[k] & 2u) != 0u) {
      sum = sum * 3u + in[k];
    } else if ((flags[k] & 4u) != 0u) {
      sum = sum * 5u + in[k + 1];
    }
    if ((flags[k] & 1u) != 0u) break;
    out[x + (k & 1u) * 1024u] += sum / (in[k + 3] | 1u);
    ++k;
  }
  if (x < (m & 1u) * 500u) {
    sum += in[x + 7];
    for (unsigned turn = 0; turn < (m & 7u); ++turn) sum ^= in[turn * 1000u + x];
  }
  out[x + 4096] = sum;
})

// Quotients of clang's vectors.
typedef unsigned Two __attribute__((ext_vector_type(2)));
KERNEL(vectors, {
  Two sum = {in[x], in[x + 1]};
  for (unsigned k = 0; k < 9; ++k) {
    const Two divisor = {in[k * 8 + x] & 15u | 1u, in[k + x] | 1u};
    sum = sum / divisor * 3u + sum % divisor / 7u + k;
  }
  out[x] = sum.x ^ sum.y;
})

template <class Launch, class Plain>
int compare(const char* name, Launch launch, Plain plain) {
  constexpr unsigned words = 8192;
  std::vector<unsigned> in(words);
  unsigned state = 12345;
  for (unsigned& one : in) one = (state = state * 1664525u + 1013904223u) >> 8;
  unsigned* in_device;
  unsigned* out_device;
  cudaMalloc(&in_device, words * sizeof(unsigned));
  cudaMalloc(&out_device, words * sizeof(unsigned));
  cudaMemcpy(in_device, in.data(), words * sizeof(unsigned), cudaMemcpyHostToDevice);
  int failed = 0;
  for (const unsigned threads : {1u, 31u, 33u, 1000u}) {
    for (const unsigned first : {0u, 1u, 5u, 4294967290u}) {
      for (const unsigned m : {7u, 0u, 4294967288u}) {
        std::vector<unsigned> out(words, 1u);
        std::vector<unsigned> expected(words, 1u);
        cudaMemcpy(out_device, out.data(), words * sizeof(unsigned), cudaMemcpyHostToDevice);
        launch(threads, first, m, in_device, out_device);
        cudaMemcpy(out.data(), out_device, words * sizeof(unsigned), cudaMemcpyDeviceToHost);
        plain(threads, first, m, in.data(), expected.data());
        failed += out == expected ? 0 : 1;
      }
    }
  }
  cudaFree(in_device);
  cudaFree(out_device);
  if (failed != 0) std::printf("%s: %d launches differ\n", name, failed);
  return failed;
}

#define COMPARE(name)                                                                                    \
  failed += compare(#name, [](unsigned threads, unsigned first, unsigned m, const unsigned* in, unsigned* out) { \
    name<<<1, threads>>>(first, m, in, out);                                                             \
  }, plain_##name)

int main() {
  int failed = 0;
  COMPARE(next_to_even);
  COMPARE(difference);
  COMPARE(references);
  COMPARE(results);
  COMPARE(exponents);
  COMPARE(pointers);
  COMPARE(filled);
  COMPARE(filled_alike);
  COMPARE(anywhere);
  COMPARE(left_in_middle);
  COMPARE(vectors);
  std::printf(failed == 0 ? "PASS\n" : "FAIL %d\n", failed);
  return failed != 0;
}
