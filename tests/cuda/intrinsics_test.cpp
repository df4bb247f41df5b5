#include "phpc/cuda/intrinsics.hpp"

#include <gtest/gtest.h>

#include <bitset>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace {

constexpr unsigned kSeed = 20261125;
constexpr int kSamples = 20000;

TEST(Intrinsics, BitsAndProducts) {
  std::mt19937_64 random(kSeed);
  for (int sample = 0; sample < kSamples; ++sample) {
    const unsigned long long x = random() >> (random() % 65 % 64);
    const unsigned long long y = random();
    const auto a = static_cast<unsigned int>(x);
    const auto b = static_cast<unsigned int>(y);
    const std::bitset<32> word(a);
    const std::bitset<64> wide(x);
    int zeros = 0;
    int first = 0;
    unsigned int reversed = 0;
    while (zeros < 32 && !word[31 - zeros]) {
      ++zeros;
    }
    while (first < 32 && !word[first]) {
      ++first;
    }
    for (int i = 0; i < 32; ++i) {
      reversed |= static_cast<unsigned int>(word[i]) << (31 - i);
    }
    ASSERT_EQ(__popc(a), static_cast<int>(word.count())) << "seed " << kSeed;
    ASSERT_EQ(__popcll(x), static_cast<int>(wide.count()));
    ASSERT_EQ(__clz(static_cast<int>(a)), zeros);
    ASSERT_EQ(__ffs(static_cast<int>(a)), first == 32 ? 0 : first + 1);
    ASSERT_EQ(__brev(a), reversed);
    ASSERT_EQ(__brevll(__brevll(x)), x);
    ASSERT_EQ(__brevll(x) >> 32, reversed);
    ASSERT_EQ(__umulhi(a, b), (static_cast<std::uint64_t>(a) * b) >> 32);
    ASSERT_EQ(__mulhi(static_cast<int>(a), static_cast<int>(b)),
              (static_cast<std::int64_t>(static_cast<int>(a)) * static_cast<int>(b)) >> 32);
    const unsigned long long middle = (x & 0xffffffffu) * (y >> 32) + ((x & 0xffffffffu) * (y & 0xffffffffu) >> 32);
    const unsigned long long other = (x >> 32) * (y & 0xffffffffu) + (middle & 0xffffffffu);
    const unsigned long long high = (x >> 32) * (y >> 32) + (middle >> 32) + (other >> 32);
    ASSERT_EQ(__umul64hi(x, y), high);
    ASSERT_EQ(static_cast<unsigned long long>(__mul64hi(static_cast<long long>(x), static_cast<long long>(y))),
              high - (static_cast<long long>(x) < 0 ? y : 0) - (static_cast<long long>(y) < 0 ? x : 0));
    ASSERT_EQ(__usad(a, b, 5), static_cast<unsigned int>(std::llabs(static_cast<long long>(a) - static_cast<long long>(b)) + 5));
    ASSERT_EQ(__sad(static_cast<int>(a), static_cast<int>(b), 5),
              static_cast<unsigned int>(std::llabs(static_cast<long long>(static_cast<int>(a)) - static_cast<int>(b)) + 5));
    const unsigned int shift = b % 70;
    const unsigned long long both = static_cast<unsigned long long>(b) << 32 | a;
    ASSERT_EQ(__funnelshift_l(a, b, shift), static_cast<unsigned int>(both << (shift % 32) >> 32));
    ASSERT_EQ(__funnelshift_r(a, b, shift), static_cast<unsigned int>(both >> (shift % 32)));
    ASSERT_EQ(__funnelshift_lc(a, b, shift), shift < 32 ? static_cast<unsigned int>(both << shift >> 32) : a);
    ASSERT_EQ(__funnelshift_rc(a, b, shift), shift < 32 ? static_cast<unsigned int>(both >> shift) : b);
  }
  EXPECT_EQ(__clzll(0), 64);
  EXPECT_EQ(__clzll(1), 63);
  EXPECT_EQ(__ffsll(0), 0);
  EXPECT_EQ(__ffsll(1ll << 40), 41);
  EXPECT_EQ(__mul24(-3, 5), -15);
  EXPECT_EQ(__mul24(0x7f000002, 3), 6);
  EXPECT_EQ(__umul24(0xff000002u, 3), 6u);
  EXPECT_EQ(__hadd(-3, 0), -2);
  EXPECT_EQ(__rhadd(-3, 0), -1);
  EXPECT_EQ(__hadd(2147483647, 2147483645), 2147483646);
  EXPECT_EQ(__uhadd(~0u, ~0u - 1), ~0u - 1);
  EXPECT_EQ(__urhadd(~0u, ~0u - 1), ~0u);
  EXPECT_EQ(__byte_perm(0x33221100u, 0x77665544u, 0x7520u), 0x77552200u);
  EXPECT_EQ(__byte_perm(0x33228100u, 0x77665544u, 0x0189u), 0x008100ffu);
}

TEST(Intrinsics, DotProducts) {
  EXPECT_EQ(__dp4a(0x01ff02fe, 0x03040506, 7), 3 - 4 + 10 - 12 + 7);
  EXPECT_EQ(__dp4a(0x01ff02feu, 0x03040506u, 7u), 3u + 255 * 4 + 10 + 254 * 6 + 7);
  EXPECT_EQ(__dp4a(char4{1, -1, 2, -2}, char4{3, 4, 5, 6}, 7), 3 - 4 + 10 - 12 + 7);
  EXPECT_EQ(__dp2a_lo(short2{300, -2}, char4{3, 4, 5, 6}, 7), 900 - 8 + 7);
  EXPECT_EQ(__dp2a_hi(short2{300, -2}, char4{3, 4, 5, 6}, 7), 1500 - 12 + 7);
  EXPECT_EQ(__dp2a_hi(ushort2{300, 65534}, uchar4{3, 4, 5, 6}, 7u), 1500u + 65534 * 6 + 7);
}

using Words = std::pair<unsigned int, unsigned int>;

/// Words with every pair of numbers at the ends of Lane's ranges in each lane, and such numbers in the others; and random words,
/// of which some differ in one bit.
template <class Lane>
std::vector<Words> lane_samples() {
  constexpr unsigned int kBits = 8 * sizeof(Lane);
  constexpr unsigned int kAll = 0xffffffffu >> (32 - kBits);
  constexpr unsigned int kHigh = 1u << (kBits - 1);
  constexpr unsigned int kEnds[] = {0, 1, kHigh - 2, kHigh - 1, kHigh, kHigh + 1, kAll - 1, kAll};
  std::mt19937 random(kSeed);
  std::vector<Words> samples;
  const auto word = [&](unsigned int lane, unsigned int value) {
    unsigned int result = 0;
    for (unsigned int i = 0; i < 32 / kBits; ++i) {
      result |= (i == lane ? value : kEnds[random() % 8]) << (kBits * i);
    }
    return result;
  };
  for (unsigned int lane = 0; lane < 32 / kBits; ++lane) {
    for (const unsigned int x : kEnds) {
      for (const unsigned int y : kEnds) {
        samples.emplace_back(word(lane, x), word(lane, y));
      }
    }
  }
  for (int sample = 0; sample < kSamples; ++sample) {
    const auto a = static_cast<unsigned int>(random());
    samples.emplace_back(a, sample % 3 == 0 ? a ^ (1u << random() % 32) : static_cast<unsigned int>(random()));
  }
  return samples;
}

/// Checks a function of words against one of lanes.
template <class Lane, class Got, class Wanted>
void expect_lanes(const char* name, Got got, Wanted wanted) {
  static const std::vector<Words> samples = lane_samples<Lane>();
  for (const auto& [a, b] : samples) {
    const unsigned int result = got(a, b);
    for (unsigned int i = 0; i < 4 / sizeof(Lane); ++i) {
      const unsigned int shift = 8 * sizeof(Lane) * i;
      const long x = static_cast<Lane>(a >> shift);
      const long y = static_cast<Lane>(b >> shift);
      ASSERT_EQ(static_cast<Lane>(result >> shift), static_cast<Lane>(wanted(x, y)))
          << name << ": " << x << ", " << y << " in lane " << i << " of " << a << ", " << b << ", seed " << kSeed;
    }
  }
}

/// Checks a function that adds up |x - y| of all lanes.
template <class Lane, class Got>
void expect_total_distances(Got got) {
  for (const auto& [a, b] : lane_samples<Lane>()) {
    unsigned int total = 0;
    for (unsigned int shift = 0; shift < 32; shift += 8 * sizeof(Lane)) {
      total += static_cast<unsigned int>(std::abs(static_cast<Lane>(a >> shift) - static_cast<Lane>(b >> shift)));
    }
    ASSERT_EQ(got(a, b), total) << a << ", " << b << ", seed " << kSeed;
  }
}

template <class Lane>
long kept(long x) {
  return std::min<long>(std::max<long>(x, std::numeric_limits<Lane>::min()), std::numeric_limits<Lane>::max());
}

#define PHPC_EXPECT_LANES(NAME, LANE, EXPRESSION)                                                                              \
  do {                                                                                                                         \
    [[maybe_unused]] typedef LANE Lane;                                                                                        \
    expect_lanes<LANE>(#NAME, [](unsigned int a, unsigned int b) { return NAME; }, [](long x, long y) { return EXPRESSION; }); \
  } while (false)
#define PHPC_EXPECT_BOTH(NAME, SIGN, EXPRESSION)                 \
  PHPC_EXPECT_LANES(NAME##2(a, b), std::SIGN##16_t, EXPRESSION); \
  PHPC_EXPECT_LANES(NAME##4(a, b), std::SIGN##8_t, EXPRESSION)
#define PHPC_EXPECT_OF_ONE(NAME, EXPRESSION)                               \
  PHPC_EXPECT_LANES(NAME##2(a + 0 * b), std::int16_t, EXPRESSION + 0 * y); \
  PHPC_EXPECT_LANES(NAME##4(a + 0 * b), std::int8_t, EXPRESSION + 0 * y)
#define PHPC_EXPECT_COMPARISON(NAME, SIGN, OPERATOR)           \
  PHPC_EXPECT_BOTH(__vcmp##NAME, SIGN, x OPERATOR y ? -1 : 0); \
  PHPC_EXPECT_BOTH(__vset##NAME, SIGN, x OPERATOR y ? 1 : 0)

TEST(Intrinsics, LanesOfAWord) {
  PHPC_EXPECT_BOTH(__vadd, uint, x + y);
  PHPC_EXPECT_BOTH(__vsub, uint, x - y);
  PHPC_EXPECT_BOTH(__vaddss, int, kept<Lane>(x + y));
  PHPC_EXPECT_BOTH(__vaddus, uint, kept<Lane>(x + y));
  PHPC_EXPECT_BOTH(__vsubss, int, kept<Lane>(x - y));
  PHPC_EXPECT_BOTH(__vsubus, uint, kept<Lane>(x - y));
  PHPC_EXPECT_BOTH(__vabsdiffs, int, std::abs(x - y));
  PHPC_EXPECT_BOTH(__vabsdiffu, uint, std::abs(x - y));
  PHPC_EXPECT_BOTH(__vmins, int, std::min(x, y));
  PHPC_EXPECT_BOTH(__vminu, uint, std::min(x, y));
  PHPC_EXPECT_BOTH(__vmaxs, int, std::max(x, y));
  PHPC_EXPECT_BOTH(__vmaxu, uint, std::max(x, y));
  PHPC_EXPECT_BOTH(__vavgs, int, std::lround(static_cast<double>(x + y) / 2.0));  // halves away from zero
  PHPC_EXPECT_BOTH(__vavgu, uint, std::lround(static_cast<double>(x + y) / 2.0));
  PHPC_EXPECT_BOTH(__vhaddu, uint, (x + y) / 2);
  PHPC_EXPECT_COMPARISON(eq, uint, ==);
  PHPC_EXPECT_COMPARISON(ne, uint, !=);
  PHPC_EXPECT_COMPARISON(ges, int, >=);
  PHPC_EXPECT_COMPARISON(geu, uint, >=);
  PHPC_EXPECT_COMPARISON(gts, int, >);
  PHPC_EXPECT_COMPARISON(gtu, uint, >);
  PHPC_EXPECT_COMPARISON(les, int, <=);
  PHPC_EXPECT_COMPARISON(leu, uint, <=);
  PHPC_EXPECT_COMPARISON(lts, int, <);
  PHPC_EXPECT_COMPARISON(ltu, uint, <);
  PHPC_EXPECT_OF_ONE(__vabs, std::abs(x));
  PHPC_EXPECT_OF_ONE(__vabsss, kept<Lane>(std::abs(x)));
  PHPC_EXPECT_OF_ONE(__vneg, -x);
  PHPC_EXPECT_OF_ONE(__vnegss, kept<Lane>(-x));
  expect_total_distances<std::int16_t>([](unsigned int a, unsigned int b) { return __vsads2(a, b); });
  expect_total_distances<std::int8_t>([](unsigned int a, unsigned int b) { return __vsads4(a, b); });
  expect_total_distances<std::uint16_t>([](unsigned int a, unsigned int b) { return __vsadu2(a, b); });
  expect_total_distances<std::uint8_t>([](unsigned int a, unsigned int b) { return __vsadu4(a, b); });
  PHPC_EXPECT_LANES(__vimax3_s16x2(a, b, 0x00010001u), std::int16_t, std::max(std::max(x, y), 1l));
  PHPC_EXPECT_LANES(__viaddmin_u16x2(a, b, 0x00ff00ffu), std::uint16_t, std::min<long>(static_cast<Lane>(x + y), 0xff));
  PHPC_EXPECT_LANES(__viaddmax_s16x2_relu(a, b, 0xfff0fff0u), std::int16_t, std::max<long>(static_cast<Lane>(x + y), 0));
  EXPECT_EQ(__vsads2(0x8000ffffu, 0x7fff0001u), 65535u + 2);
  EXPECT_EQ(__vsadu4(0xff000102u, 0x00ff0201u), 255u + 255 + 1 + 1);
  EXPECT_EQ(__vimin3_s32(3, -1, 2), -1);
  EXPECT_EQ(__vimax3_u32(3, ~0u, 2), ~0u);
  EXPECT_EQ(__viaddmax_s32_relu(2147483647, 1, -5), 0);
  bool first = false;
  bool low = false;
  EXPECT_EQ(__vibmax_s32(4, 4, &first), 4);
  EXPECT_TRUE(first);
  EXPECT_EQ(__vibmin_u16x2(0x00010002u, 0x00020001u, &first, &low), 0x00010001u);
  EXPECT_TRUE(first && !low);
}

TEST(Intrinsics, BitCasts) {
  EXPECT_EQ(__float_as_int(-0.0f), static_cast<int>(0x80000000u));
  EXPECT_EQ(__uint_as_float(0x3f800000u) + __int_as_float(0x40000000), 3.0f);
  EXPECT_EQ(__float_as_uint(1.0f), 0x3f800000u);
  EXPECT_EQ(__longlong_as_double(__double_as_longlong(1.25)), 1.25);
  const double x = -1234.5678e-9;
  EXPECT_EQ(__hiloint2double(__double2hiint(x), __double2loint(x)), x);
}

TEST(Intrinsics, FastMath) {
  float s;
  float c;
  __sincosf(0.5f, &s, &c);
  EXPECT_FLOAT_EQ(s, __sinf(0.5f));
  EXPECT_FLOAT_EQ(c, __cosf(0.5f));
  EXPECT_FLOAT_EQ(__tanf(0.5f), s / c);
  EXPECT_FLOAT_EQ(__expf(__logf(3.0f)), 3.0f);
  EXPECT_FLOAT_EQ(__exp10f(2.0f), 100.0f);
  EXPECT_FLOAT_EQ(__log2f(8.0f) + __log10f(100.0f), 5.0f);
  EXPECT_FLOAT_EQ(__powf(2.0f, 0.5f), std::sqrt(2.0f));
  EXPECT_EQ(__fdividef(1.0f, 4.0f), 0.25f);
  EXPECT_EQ(__saturatef(-1.0f) + __saturatef(0.5f) + __saturatef(7.0f) + __saturatef(NAN), 1.5f);
}

TEST(Intrinsics, LoadsStoresAndClocks) {
  float4 v[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
  const float4* read = v;
  __stcs(&v[0], __ldg(read + 1));
  EXPECT_EQ(__ldcg(v).w + __ldca(v).x + __ldcs(v).y + __ldlu(v).z + __ldcv(v).z, 8 + 5 + 6 + 7 + 7);
  unsigned char byte = 0;
  __stcg(&byte, 4);
  EXPECT_EQ(__ldcv(&byte), 4);
  __stwb(&byte, 5);
  __stwt(&byte, 6);
  EXPECT_EQ(__ldg(&byte), 6);
  const long long before = clock64();
  const unsigned long long time = __globaltimer();
  __nanosleep(1);
  EXPECT_GE(clock64(), before);
  EXPECT_GE(__globaltimer(), time);
  EXPECT_GE(clock(), 0);
  EXPECT_EQ(__isGlobal(&byte) + __isShared(&byte) + __isConstant(&byte) + __isLocal(&byte), 1u);
  __prof_trigger(3);
  __brkpt();
}

TEST(IntrinsicsDeathTest, Trap) {
  EXPECT_DEATH(__trap(), "");
}

}  // namespace
