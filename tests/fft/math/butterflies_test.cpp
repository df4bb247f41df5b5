#include "fft/math/butterflies.hpp"

#include <gtest/gtest.h>

#include "fft/math/factors.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::fft {
namespace {

template <class Real, int R>
void check_butterfly() {
  constexpr unsigned seed = 7;
  constexpr int times = 200;
  const auto signal = test::random_signal<Real>(R * times, seed);
  test::RelativeError error;
  for (int time = 0; time < times; ++time) {
    Complex<Real> v[R];
    std::copy_n(signal.begin() + time * R, R, v);
    butterfly<R>(v);
    const std::vector<test::Wide> expected = test::dft(test::widened(signal, time * R, R), Direction::forward);
    for (int k = 0; k < R; ++k) {
      error.add(v[k], expected[static_cast<std::size_t>(k)]);
    }
  }
  EXPECT_LE(error.value(), test::tolerance<Real>(R)) << "radix " << R << ", seed " << seed;
}

template <class Real, int... R>
void check_all(std::integer_sequence<int, R...> /*list*/) {
  (check_butterfly<Real, R>(), ...);
}

TEST(Butterflies, EveryRadixOfTheListIsATransform) {
  check_all<float>(RadixList{});
  check_all<double>(RadixList{});
}

TEST(Butterflies, ImpulsesGiveExactRootsOfOrderFour) {
  Complex<double> v[8] = {};
  v[2] = {1, 0};
  butterfly<8>(v);
  EXPECT_EQ(v[1], (Complex<double>{0, -1}));
  EXPECT_EQ(v[2], (Complex<double>{-1, 0}));
  EXPECT_EQ(v[3], (Complex<double>{0, 1}));
}

}  // namespace
}  // namespace phpc::fft
