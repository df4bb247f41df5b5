#include "measure/reference.hpp"

#include <gtest/gtest.h>

#include "support/dft_oracle.hpp"

namespace phpc::bench {
namespace {

TEST(Reference, IsTheDefinition) {
  // Powers of two, small primes, primes that take a convolution, and products of both.
  for (const index_t n : {1, 2, 8, 15, 31, 37, 74, 100, 127, 961, 1024, 1369}) {
    const auto x = test::widened(test::random_signal<double>(n, 9), 0, n);
    const auto expected = test::dft(x, fft::Direction::forward);
    const auto got = reference_transform(x);
    ASSERT_EQ(got.size(), expected.size());
    long double error = 0;
    long double norm = 0;
    for (std::size_t k = 0; k < got.size(); ++k) {
      const auto difference = got[k] - expected[k];
      error += difference.re * difference.re + difference.im * difference.im;
      norm += expected[k].re * expected[k].re + expected[k].im * expected[k].im;
    }
    EXPECT_LT(static_cast<double>(error / norm), 1e-36) << n;
  }
}

}  // namespace
}  // namespace phpc::bench
