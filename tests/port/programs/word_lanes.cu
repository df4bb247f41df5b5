// Functions on the half-words and bytes of words, against their definitions lane by lane.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

// Each function: its call, the type of a lane, and what comes of x and y, the lanes of a and b.
#define BOTH(F, NAME, SIGN, ...)                 \
  F(NAME##2(a, b), std::SIGN##16_t, __VA_ARGS__) \
  F(NAME##4(a, b), std::SIGN##8_t, __VA_ARGS__)
#define OF_ONE(F, NAME, ...)               \
  F(NAME##2(a), std::int16_t, __VA_ARGS__) \
  F(NAME##4(a), std::int8_t, __VA_ARGS__)
#define COMPARISON(F, NAME, SIGN, OPERATOR)          \
  BOTH(F, __vcmp##NAME, SIGN, x OPERATOR y ? -1 : 0) \
  BOTH(F, __vset##NAME, SIGN, x OPERATOR y ? 1 : 0)
#define FUNCTIONS(F)                                                   \
  BOTH(F, __vadd, uint, x + y)                                         \
  BOTH(F, __vsub, uint, x - y)                                         \
  BOTH(F, __vaddss, int, kept<Lane>(x + y))                            \
  BOTH(F, __vaddus, uint, kept<Lane>(x + y))                           \
  BOTH(F, __vsubss, int, kept<Lane>(x - y))                            \
  BOTH(F, __vsubus, uint, kept<Lane>(x - y))                           \
  BOTH(F, __vabsdiffs, int, std::abs(x - y))                           \
  BOTH(F, __vabsdiffu, uint, std::abs(x - y))                          \
  BOTH(F, __vmins, int, std::min(x, y))                                \
  BOTH(F, __vminu, uint, std::min(x, y))                               \
  BOTH(F, __vmaxs, int, std::max(x, y))                                \
  BOTH(F, __vmaxu, uint, std::max(x, y))                               \
  BOTH(F, __vavgs, int, x + y < 0 ? (x + y - 1) / 2 : (x + y + 1) / 2) \
  BOTH(F, __vavgu, uint, (x + y + 1) / 2)                              \
  BOTH(F, __vhaddu, uint, (x + y) / 2)                                 \
  OF_ONE(F, __vabs, std::abs(x))                                       \
  OF_ONE(F, __vabsss, kept<Lane>(std::abs(x)))                         \
  OF_ONE(F, __vneg, -x)                                                \
  OF_ONE(F, __vnegss, kept<Lane>(-x))                                  \
  COMPARISON(F, eq, uint, ==)                                          \
  COMPARISON(F, ne, uint, !=)                                          \
  COMPARISON(F, ges, int, >=)                                          \
  COMPARISON(F, geu, uint, >=)                                         \
  COMPARISON(F, gts, int, >)                                           \
  COMPARISON(F, gtu, uint, >)                                          \
  COMPARISON(F, les, int, <=)                                          \
  COMPARISON(F, leu, uint, <=)                                         \
  COMPARISON(F, lts, int, <)                                           \
  COMPARISON(F, ltu, uint, <)
#define SUMS(F)                       \
  F(__vsads2(a, b), std::int16_t, 0)  \
  F(__vsads4(a, b), std::int8_t, 0)   \
  F(__vsadu2(a, b), std::uint16_t, 0) \
  F(__vsadu4(a, b), std::uint8_t, 0)
#define COUNT(...) +1

// Functions that a template takes by their addresses.
#define PASSED(F)                                              \
  F(applied(__vmaxu4, a, b), std::uint8_t, std::max(x, y))     \
  F(applied(__vcmpgts2, a, b), std::int16_t, x > y ? -1 : 0)

static const int functions = 0 FUNCTIONS(COUNT) PASSED(COUNT) SUMS(COUNT);

template <class Function>
__device__ unsigned applied(Function function, unsigned a, unsigned b) {
  return function(a, b);
}

__global__ void run(const unsigned* in, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned a = in[2 * i], b = in[2 * i + 1];
  unsigned* o = out + i * functions;
#define STORE(CALL, ...) *o++ = CALL;
  FUNCTIONS(STORE)
  PASSED(STORE)
  SUMS(STORE)
}

template <class Lane>
static int kept(int x) {
  const int bits = 8 * sizeof(Lane);
  const bool is_signed = Lane(-1) < Lane(0);
  const int least = is_signed ? -(1 << (bits - 1)) : 0;
  return std::min(std::max(x, least), least + (1 << bits) - 1);
}

template <class Lane, class Function>
static void check(const char* call, unsigned a, unsigned b, unsigned got, bool sum, Function function) {
  const int bits = 8 * sizeof(Lane);
  unsigned right = 0;
  for (int shift = 0; shift < 32; shift += bits) {
    const int x = Lane(a >> shift), y = Lane(b >> shift);
    right += sum ? std::abs(x - y) : (function(x, y) & (0xffffffffu >> (32 - bits))) << shift;
  }
  if (got != right) {
    std::printf("FAIL: %s of %08x and %08x is %08x, not %08x\n", call, a, b, got, right);
    std::exit(1);
  }
}

int main() {
  const int n = 4000, seed = 20261128;
  static unsigned in[2 * n], out[n * functions];
  const unsigned ends[] = {0, 1, 0x7e, 0x7f, 0x80, 0x81, 0xfe, 0xff};
  std::printf("seed %d\n", seed);
  std::mt19937 random(seed);
  for (unsigned& word : in)
    word = random();
  for (int i = 0; i < n / 2; ++i)
    for (int shift = 0; shift < 32; shift += 8) {
      const int pair = i / 64 % 4 == shift / 8 ? i % 64 : random() % 64;  // all pairs in each byte
      in[2 * i] = (in[2 * i] & ~(0xffu << shift)) | ends[pair / 8] << shift;
      in[2 * i + 1] = (in[2 * i + 1] & ~(0xffu << shift)) | ends[pair % 8] << shift;
    }
  const unsigned half_ends[] = {0, 1, 0x7ffe, 0x7fff, 0x8000, 0x8001, 0xfffe, 0xffff};
  for (int i = 0; i < 128; ++i)
    for (int k = 0; k < 2; ++k) {
      const unsigned here = half_ends[k == 0 ? i % 8 : i / 8 % 8], beside = half_ends[random() % 8];
      in[n + 2 * i + k] = i < 64 ? here | beside << 16 : beside | here << 16;
    }
  unsigned *device_in, *device_out;
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_out, sizeof out);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  run<<<(n + 127) / 128, 128>>>(device_in, device_out, n);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const unsigned a = in[2 * i], b = in[2 * i + 1];
    const unsigned* o = out + i * functions;
#define CHECK(CALL, LANE, ...)                                                                       \
  {                                                                                                  \
    using Lane = LANE;                                                                               \
    check<Lane>(#CALL, a, b, *o++, false, [](int x, int y) { return (__VA_ARGS__) + 0 * (x + y); }); \
  }
#define CHECK_SUM(CALL, LANE, ...) check<LANE>(#CALL, a, b, *o++, true, [](int, int) { return 0; });
    FUNCTIONS(CHECK)
    PASSED(CHECK)
    SUMS(CHECK_SUM)
  }
  std::printf("PASS\n");
  return 0;
}
