#include "phpc/batch/blas.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "batch/blas/blas_kernels.hpp"
#include "phpc/core/error.hpp"
#include "support/devices.hpp"
#include "support/launch_in_team.hpp"
#include "support/linear_systems.hpp"

namespace phpc::batch {
namespace {

constexpr unsigned seed = 20261125;

template <class T>
std::vector<T> random_values(index_t count, unsigned salt) {
  std::mt19937_64 random(seed + salt);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) {
    value = static_cast<T>(static_cast<double>(random() >> 11) * 0x1p-52 - 1);
  }
  return values;
}

template <class T>
std::vector<T> back(const exec::Buffer<T>& buffer) {
  std::vector<T> values(static_cast<std::size_t>(buffer.size()));
  buffer.copy_to(values);
  return values;
}

class BlasTest : public testing::TestWithParam<exec::Device> {
 protected:
  template <class T>
  void check_vectors(index_t systems, index_t rows) {
    SCOPED_TRACE(testing::Message() << systems << " systems of " << rows << " rows, seed " << seed);
    const exec::Device device = GetParam();
    const std::vector<T> x = random_values<T>(systems * rows, 1);
    const std::vector<T> y = random_values<T>(systems * rows, 2);
    const std::vector<T> alphas = random_values<T>(systems, 3);
    const exec::Buffer<T> x_there(device, std::span<const T>(x));
    const exec::Buffer<T> y_there(device, std::span<const T>(y));
    const exec::Buffer<T> alphas_there(device, std::span<const T>(alphas));
    exec::Buffer<T> results(device, systems);
    dot(device, systems, rows, x_there.data(), y_there.data(), results.data());
    const std::vector<T> dots = back(results);
    norm2(device, systems, rows, x_there.data(), results.data());
    const std::vector<T> norms = back(results);
    exec::Buffer<T> sum(device, std::span<const T>(y));
    axpy(device, systems, rows, T{3}, x_there.data(), sum.data());
    axpy(device, systems, rows, alphas_there.data(), x_there.data(), sum.data());
    const std::vector<T> sums = back(sum);
    const auto epsilon = static_cast<long double>(std::numeric_limits<T>::epsilon());
    for (index_t system = 0; system < systems; ++system) {
      long double dot_here = 0;
      long double size = 0;
      long double squared = 0;
      for (index_t row = 0; row < rows; ++row) {
        const auto place = static_cast<std::size_t>(system * rows + row);
        const auto a = static_cast<long double>(x[place]);
        const auto b = static_cast<long double>(y[place]);
        dot_here += a * b;
        size += std::fabs(a * b);
        squared += a * a;
        const long double expected = b + 3 * a + static_cast<long double>(alphas[static_cast<std::size_t>(system)]) * a;
        EXPECT_NEAR(static_cast<double>(sums[place]), static_cast<double>(expected), static_cast<double>(12 * epsilon));
      }
      const auto at = static_cast<std::size_t>(system);
      EXPECT_NEAR(static_cast<double>(dots[at]), static_cast<double>(dot_here), static_cast<double>(size * epsilon * rows));
      EXPECT_NEAR(static_cast<double>(norms[at]), static_cast<double>(std::sqrt(squared)),
                  static_cast<double>(std::sqrt(squared) * epsilon * (rows + 2)));
    }
  }
};

TEST_P(BlasTest, Vectors) {
  for (const index_t rows : {1, 5, 64, 65, 300}) {
    check_vectors<double>(9, rows);
    check_vectors<float>(9, rows);
  }
  check_vectors<double>(2100, 1);
  check_vectors<double>(1, 5000);
}

TEST_P(BlasTest, NormsOfWhatSquaresCannotHold) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const std::vector<double> x{3e200, 4e200, 3e-200, 4e-200, 0, 0, nan, 1, infinity, 1, 3, 4};
  const exec::Buffer<double> there(GetParam(), std::span<const double>(x));
  exec::Buffer<double> results(GetParam(), 6);
  norm2(GetParam(), 6, 2, there.data(), results.data());
  const std::vector<double> norms = back(results);
  EXPECT_DOUBLE_EQ(norms[0], 5e200);
  EXPECT_DOUBLE_EQ(norms[1], 5e-200);
  EXPECT_EQ(norms[2], 0);
  EXPECT_TRUE(std::isnan(norms[3]));
  EXPECT_TRUE(std::isnan(norms[4]));
  EXPECT_EQ(norms[5], 5);
}

TEST_P(BlasTest, Products) {
  const exec::Device device = GetParam();
  for (const index_t rows : {1, 7, 64, 130}) {
    for (const index_t repeat : {1, 3}) {
      SCOPED_TRACE(testing::Message() << rows << " rows, " << repeat << " right-hand sides, seed " << seed);
      const test::SystemBatch batch = test::random_systems(test::Structure::general, rows, 5, seed);
      const index_t systems = 5 * repeat;
      const std::vector<double> x = random_values<double>(systems * rows, 4);
      const std::vector<double> y = random_values<double>(systems * rows, 5);
      const exec::Buffer<std::int32_t> row_offsets(device, std::span(batch.pattern.row_offsets));
      const exec::Buffer<std::int32_t> columns(device, std::span(batch.pattern.columns));
      const exec::Buffer<double> values(device, std::span(batch.values));
      const exec::Buffer<double> x_there(device, std::span<const double>(x));
      const CsrView<double> view{systems,
                                 5,
                                 0,
                                 static_cast<std::int32_t>(rows),
                                 static_cast<std::int32_t>(batch.pattern.entries()),
                                 row_offsets.data(),
                                 columns.data(),
                                 values.data(),
                                 static_cast<std::int32_t>(repeat)};
      for (const double beta : {0.0, 0.5}) {
        std::vector<double> start = y;
        if (beta == 0) {
          start.front() = std::numeric_limits<double>::quiet_NaN();
        }
        exec::Buffer<double> result(device, std::span<const double>(start));
        multiply(device, view, 2.0, x_there.data(), beta, result.data());
        const std::vector<double> product = back(result);
        for (index_t system = 0; system < systems; ++system) {
          const auto first = x.begin() + system * rows;
          const test::DenseVector zeros(static_cast<std::size_t>(rows), 0);
          const test::DenseVector minus =
              test::residual(batch.dense(system / repeat), test::DenseVector(first, first + rows), zeros);
          for (index_t row = 0; row < rows; ++row) {
            const auto place = static_cast<std::size_t>(system * rows + row);
            const long double before = beta == 0 ? 0 : static_cast<long double>(beta * start[place]);
            EXPECT_NEAR(product[place], static_cast<double>(before - 2 * minus[static_cast<std::size_t>(row)]), 1e-14 * 20);
          }
        }
      }
      // alpha = 0 reads neither A nor x.
      CsrView<double> no_values = view;
      no_values.values = nullptr;
      exec::Buffer<double> halved(device, std::span<const double>(y));
      multiply(device, no_values, 0.0, static_cast<const double*>(nullptr), 0.5, halved.data());
      EXPECT_EQ(back(halved).back(), 0.5 * y.back());
    }
  }
}

TEST_P(BlasTest, NothingToDoAndWrongSizes) {
  dot<double>(GetParam(), 0, 5, nullptr, nullptr, nullptr);
  norm2<double>(GetParam(), 0, 5, nullptr, nullptr);
  axpy<double>(GetParam(), 7, 0, 1.0, nullptr, nullptr);
  multiply<double>(GetParam(), CsrView<double>{0, 0, 0, 3, 0, nullptr, nullptr, nullptr}, 1, nullptr, 1, nullptr);
  EXPECT_THROW(dot<double>(GetParam(), -1, 5, nullptr, nullptr, nullptr), Error);
  EXPECT_THROW(norm2<double>(GetParam(), 1, index_t{1} << 31, nullptr, nullptr), Error);
  EXPECT_THROW(multiply<double>(GetParam(), CsrView<double>{2, 0, 0, 3, 0, nullptr, nullptr, nullptr}, 1, nullptr, 1, nullptr),
               Error);
}

template <int TestedTeamSize>
void check_team_size(exec::Device device) {
  constexpr int TeamSize = test::kernel_team_size(TestedTeamSize);
  SCOPED_TRACE(testing::Message() << "team size " << TestedTeamSize);
  const std::vector<double> x(3 * 67, 2.0);
  const exec::Buffer<double> there(device, std::span<const double>(x));
  exec::Buffer<double> results(device, 3);
  test::launch_in_team(device, {.groups = 3}, TestedTeamSize,
                       DotKernel<double, TeamSize>{67, there.data(), there.data(), results.data()});
  EXPECT_EQ(back(results), std::vector<double>(3, 268.0));
  exec::Buffer<double> copy(device, std::span<const double>(x));
  test::launch_in_team(device, {.groups = 3}, TestedTeamSize, NormKernel<double, TeamSize>{67, copy.data(), results.data()});
  EXPECT_DOUBLE_EQ(back(results)[2], std::sqrt(268.0));
  test::launch_in_team(device, {.groups = 1}, TestedTeamSize,
                       AxpyKernel<double, TeamSize>{3, 67, 0.5, nullptr, there.data(), copy.data()});
  EXPECT_EQ(back(copy), std::vector<double>(3 * 67, 3.0));
}

TEST_P(BlasTest, OddTeams) {
  check_team_size<1>(GetParam());
  check_team_size<3>(GetParam());
  check_team_size<65>(GetParam());
}

INSTANTIATE_TEST_SUITE_P(Devices, BlasTest, testing::ValuesIn(test::devices()),
                         [](const auto& instance) { return test::test_name(instance.param); });

}  // namespace
}  // namespace phpc::batch
