#include "fft/math/long_double_transform.hpp"

#include <gtest/gtest.h>

#include "support/dft_oracle.hpp"

namespace phpc::fft {
namespace {

TEST(LongDoubleTransform, IsRoundedOnce) {
  for (const index_t length : {1, 2, 3, 5, 8, 13, 40, 50, 98, 210, 225, 240, 1008, 1001, 2187, 4092, 4096}) {
    const auto signal = test::random_signal<double>(length, 9);
    const std::vector<Complex<double>> result = long_double_transform(signal);
    const std::vector<test::Wide> expected = test::dft(test::widened(signal, 0, length), Direction::forward);
    test::RelativeError error;
    for (index_t k = 0; k < length; ++k) {
      error.add(result[static_cast<std::size_t>(k)], expected[static_cast<std::size_t>(k)]);
    }
    EXPECT_LE(error.value(), 0.6e-16) << length;  // a rounding to double: at most 1.1e-16 each, 0.4e-16 on average
  }
}

}  // namespace
}  // namespace phpc::fft
