// Intrinsics: bits of integers, bit casts, rounding conversions, arithmetic of a given rounding, fast functions, __ldg.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>

static const int cases = 20;

__global__ void run(const unsigned* in, const float* real, long long* out, float* fast, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  const unsigned u = __ldg(in + i), v = in[(i + 1) % n];
  const float x = __ldg(&real[i]);
  long long* o = out + i * cases;
  o[0] = __popc(u);
  o[1] = __clz(u) * 100 + __clz(0);
  o[2] = __ffs(u) + __ffs(0);
  o[3] = __brev(u);
  o[4] = __umulhi(u, v);
  o[5] = __mulhi(static_cast<int>(u), static_cast<int>(v));
  o[6] = __popcll((static_cast<unsigned long long>(u) << 32) | v) + __clzll(u) + __ffsll(static_cast<long long>(v) << 8);
  o[7] = __byte_perm(u, v, 0x6041);
  o[8] = __funnelshift_l(u, v, 9);
  o[9] = __float_as_int(x);
  o[10] = __float_as_uint(__uint_as_float(u & 0x7fffff));
  o[11] = __float2int_rn(x) * 1000003LL + __float2int_rz(x) * 10007LL + __float2int_ru(x) * 101 + __float2int_rd(x);
  o[12] = __double2ll_rd(x * 1e6);
  o[13] = __double_as_longlong(__hiloint2double(u & 0x3fffffff, v));
  o[14] = __mul24(u & 0xffffff, 5) + __umul24(v & 0xffff, 7);
  o[15] = __sad(static_cast<int>(u >> 2), 5, 3u) + __usad(u, v, 1u);
  o[16] = __float_as_uint(__fadd_rn(x, 0.1f)) ^ __float_as_uint(__fmul_rn(x, x));
  o[17] = __float_as_uint(__fmaf_rn(x, x, -1.0f));
  o[18] = __double_as_longlong(__dadd_rn(x, 1e-3));
  o[19] = max(static_cast<int>(u), -5) + static_cast<long long>(min(u, v)) + abs(static_cast<int>(u >> 1));
  fast[i] = __sinf(x) + __expf(-fabsf(x)) + __fdividef(x, 8.0f) + rsqrtf(1 + x * x) + __logf(2 + fabsf(x)) + __saturatef(x);
}

template <typename To, typename From>
static To bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "a cast of bits");
  To to;
  std::memcpy(&to, &from, sizeof to);
  return to;
}

static int count(unsigned long long v) {
  return __builtin_popcountll(v);
}

static long long expected(int which, unsigned u, unsigned v, float x) {
  unsigned reversed = 0;
  for (int b = 0; b < 32; ++b)
    reversed |= (u >> b & 1) << (31 - b);
  switch (which) {
    case 0:
      return count(u);
    case 1:
      return __builtin_clz(u) * 100 + 32;
    case 2:
      return __builtin_ffs(u);
    case 3:
      return reversed;
    case 4:
      return static_cast<std::uint64_t>(u) * v >> 32;
    case 5:
      return static_cast<std::int64_t>(static_cast<int>(u)) * static_cast<int>(v) >> 32;
    case 6:
      return count(u) + count(v) + 32 + __builtin_clz(u) + __builtin_ffs(v) + 8;
    case 7:
      return (u >> 8 & 0xff) | (v & 0xff) << 8 | (u & 0xff) << 16 | (v >> 16 & 0xff) << 24;
    case 8:
      return (v << 9 | u >> 23) & 0xffffffffu;
    case 9:
      return bits<int>(x);
    case 10:
      return u & 0x7fffff;
    case 11:
      return static_cast<int>(std::nearbyint(x)) * 1000003LL + static_cast<int>(x) * 10007LL +
             static_cast<int>(std::ceil(x)) * 101 + static_cast<int>(std::floor(x));
    case 12:
      return static_cast<long long>(std::floor(x * 1e6));
    case 13:
      return static_cast<long long>(static_cast<std::uint64_t>(u & 0x3fffffff) << 32 | v);
    case 14:
      return static_cast<int>((u & 0xffffff) << 8) / 256 * 5 + (v & 0xffff) * 7;
    case 15:
      return static_cast<unsigned>((u >> 2 > 5 ? (u >> 2) - 5 : 5 - (u >> 2)) + 3) + (u > v ? u - v : v - u) + 1u;
    case 16:
      return bits<unsigned>(x + 0.1f) ^ bits<unsigned>(x * x);
    case 17:
      return bits<unsigned>(std::fma(x, x, -1.0f));
    case 18:
      return bits<long long>(x + 1e-3);
    default:
      return std::max(static_cast<int>(u), -5) + static_cast<long long>(std::min(u, v)) + static_cast<int>(u >> 1);
  }
}

int main() {
  const int n = 250;
  static unsigned in[n], *device_in;
  static float real[n], fast[n], *device_real, *device_fast;
  static long long out[n * cases], *device_out;
  for (int i = 0; i < n; ++i) {
    in[i] = (i + 1) * 2654435769u;
    real[i] = (i - 125) * 0.25f;
  }
  cudaMalloc(&device_in, sizeof in);
  cudaMalloc(&device_real, sizeof real);
  cudaMalloc(&device_fast, sizeof fast);
  cudaMalloc(&device_out, sizeof out);
  cudaMemcpy(device_in, in, sizeof in, cudaMemcpyHostToDevice);
  cudaMemcpy(device_real, real, sizeof real, cudaMemcpyHostToDevice);
  run<<<3, 96>>>(device_in, device_real, device_out, device_fast, n);
  cudaMemcpy(out, device_out, sizeof out, cudaMemcpyDeviceToHost);
  cudaMemcpy(fast, device_fast, sizeof fast, cudaMemcpyDeviceToHost);
  for (int i = 0; i < n; ++i) {
    const float x = real[i];
    for (int k = 0; k < cases; ++k) {
      const long long right = expected(k, in[i], in[(i + 1) % n], x);
      if (out[i * cases + k] != right) {
        std::printf("FAIL: case %d of element %d is %lld, not %lld\n", k, i, out[i * cases + k], right);
        return 1;
      }
    }
    const double sum = std::sin(x) + std::exp(-std::fabs(x)) + x / 8.0 + 1 / std::sqrt(1.0 + x * x) + std::log(2 + std::fabs(x)) +
                       (x < 0   ? 0
                        : x > 1 ? 1
                                : x);
    if (std::fabs(fast[i] - sum) > 1e-4) {
      std::printf("FAIL: fast functions at %g: %g, not %g\n", x, fast[i], sum);
      return 1;
    }
  }
  std::printf("PASS\n");
  return 0;
}
