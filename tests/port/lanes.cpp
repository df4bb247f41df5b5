// Loops in lanes as a launch has them (PHPC_IN_LANES) keep the order of one turn's accesses to memory, whatever names lead to it:
// without -enable-interleaved-mem-accesses=false, clang 19 moves the first of two stores to neighbouring places behind what
// stands between them, since it is told that turns do not depend on one another.
#include <cstddef>
#include <cstdio>

#include "phpc/cuda/cuda.hpp"

namespace {

[[gnu::noinline]] void read_between(float* first, float* second, float* out, unsigned n) {
  PHPC_IN_LANES
  for (unsigned x = 0; x < n; ++x) {
    const std::size_t i = x;
    first[2 * i] = 5;
    const float between = second[2 * i];
    first[2 * i + 1] = 6;
    out[i] = between;
  }
}

[[gnu::noinline]] void write_between(float* first, float* second, unsigned n) {
  PHPC_IN_LANES
  for (unsigned x = 0; x < n; ++x) {
    const std::size_t i = x;
    first[2 * i] = 5;
    second[2 * i] = 7;
    first[2 * i + 1] = 6;
  }
}

[[gnu::noinline]] void change_between(int* first, int* second, const int* in, unsigned n) {
  PHPC_IN_LANES
  for (unsigned x = 0; x < n; ++x) {
    const std::size_t i = x;
    first[2 * i] = in[i];
    second[2 * i] += 1;
    first[2 * i + 1] = second[2 * i];
  }
}

}  // namespace

int main() {
  constexpr unsigned n = 67;
  float data[2 * n] = {};
  float out[n] = {};
  int pairs[2 * n] = {};
  int in[n];
  for (unsigned i = 0; i < n; ++i) {
    in[i] = static_cast<int>(3 * i);
  }
  int wrong = 0;
  read_between(data, data, out, n);
  for (unsigned i = 0; i < n; ++i) {
    wrong += out[i] != 5 || data[2 * i] != 5 || data[2 * i + 1] != 6 ? 1 : 0;
  }
  write_between(data, data, n);
  for (unsigned i = 0; i < n; ++i) {
    wrong += data[2 * i] != 7 || data[2 * i + 1] != 6 ? 1 : 0;
  }
  change_between(pairs, pairs, in, n);
  for (unsigned i = 0; i < n; ++i) {
    wrong += pairs[2 * i] != in[i] + 1 || pairs[2 * i + 1] != in[i] + 1 ? 1 : 0;
  }
  std::printf(wrong == 0 ? "PASS\n" : "FAIL: %d turns\n", wrong);
  return wrong == 0 ? 0 : 1;
}
