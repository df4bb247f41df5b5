#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fft/device/register_rows/kernel.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

/// Rows in the registers of threads: butterflies of real numbers, and RegisterRowsKernel.
namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned rows_seed = 41;

/// Rows with gaps between them on both sides, in real numbers.
struct GappedRows {
  RowKind numbers;
  index_t length;
  index_t count;

  [[nodiscard]] index_t numbers_in() const { return numbers_of(numbers == RowKind::from_reals); }
  [[nodiscard]] index_t numbers_out() const { return numbers_of(numbers == RowKind::to_reals); }
  /// Real numbers between rows: an even number where they are complex or pairs.
  [[nodiscard]] index_t from() const { return numbers_in() + 2; }
  [[nodiscard]] index_t to() const { return numbers_out() + 4; }

  /// Row `row` of these, transformed.
  template <class Real>
  [[nodiscard]] std::vector<test::Wide> expected(const std::vector<Real>& in, index_t row, bool is_inverse) const {
    const Real* const first = in.data() + row * from();
    std::vector<test::Wide> line(static_cast<std::size_t>(length));
    for (index_t j = 0; j < length; ++j) {
      const index_t k = std::min(j, length - j);
      test::Wide& element = line[static_cast<std::size_t>(j)];
      if (numbers == RowKind::complex) {
        element = {first[2 * j], first[2 * j + 1]};
      } else if (numbers == RowKind::from_reals) {
        element = {first[j], 0};
      } else {  // the imaginary parts of elements 0 and n / 2 do not count
        element = {first[2 * k], 2 * k % length == 0 ? 0 : k == j ? first[2 * k + 1] : -first[2 * k + 1]};
      }
    }
    return test::dft(line, is_inverse || numbers == RowKind::to_reals ? Direction::inverse : Direction::forward);
  }

  /// Compares all rows of a result, whose scale was 1/2, and what lies between them, which was -7.
  template <class Real>
  void check(const std::vector<Real>& in, const std::vector<Real>& result, bool is_inverse) const {
    test::RelativeError error;
    for (index_t row = 0; row < count; ++row) {
      const std::vector<test::Wide> line = expected(in, row, is_inverse);
      const Real* const got = result.data() + row * to();
      const index_t elements = numbers == RowKind::from_reals ? length / 2 + 1 : length;
      for (index_t k = 0; k < elements; ++k) {
        const test::Wide value = line[static_cast<std::size_t>(k)];
        const bool is_real = numbers == RowKind::to_reals;
        error.add(is_real ? Complex<Real>{got[k], 0} : Complex<Real>{got[2 * k], got[2 * k + 1]},
                  {value.re / 2, is_real ? 0 : value.im / 2});
      }
      for (index_t k = numbers_out(); k < to(); ++k) {
        ASSERT_EQ(got[k], Real{-7}) << "row " << row << ", behind it";
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(length));
  }

 private:
  [[nodiscard]] index_t numbers_of(bool are_reals) const {
    return numbers == RowKind::complex ? 2 * length : are_reals ? length : 2 * (length / 2 + 1);
  }
};

template <class Real, RowKind Numbers, int Class>
void check_rows(Device device, index_t length, bool is_inverse, int team_size) {
  if (register_row_class<Real>(Numbers, length) != Class) {
    return;
  }
  const auto n = static_cast<unsigned>(length);
  const index_t lines = register_rows_of_team(Numbers, n);
  const GappedRows rows{Numbers, length, lines + 5};  // the last team is not full
  SCOPED_TRACE(testing::Message() << "length " << length << ", numbers " << static_cast<int>(Numbers) << ", " << 8 * sizeof(Real)
                                  << " bits, teams of " << team_size << ", seed " << rows_seed);
  const auto values = test::random_signal<Real>(rows.count * rows.from(), rows_seed);
  const Real* const first = reinterpret_cast<const Real*>(values.data());
  const std::vector<Real> input(first, first + rows.count * rows.from());
  const exec::Buffer<Real> in(device, std::span<const Real>(input));
  std::vector<Real> result(static_cast<std::size_t>(rows.count * rows.to()), Real{-7});
  exec::Buffer<Real> out(device, std::span<const Real>(result));
  test::launch_in_team(
      device, {.groups = 2, .scratch_bytes = register_row_scratch_bytes<Real>(Numbers, n), .team_size = team_size}, team_size,
      RegisterRowsKernel<Real, Class, Numbers>{in.data(), out.data(), rows.from(), rows.to(), rows.count, n, Real{0.5},
                                               is_inverse});
  out.copy_to(result);
  rows.check(input, result, is_inverse);
}

template <class Real, RowKind Numbers>
void check_all_rows(Device device, index_t length, int team_size) {
  for (const bool is_inverse : {false, true}) {
    if (is_inverse && Numbers != RowKind::complex) {
      continue;
    }
    check_rows<Real, Numbers, 0>(device, length, is_inverse, team_size);
    check_rows<Real, Numbers, 1>(device, length, is_inverse, team_size);
    if constexpr (sizeof(Real) == sizeof(float)) {  // the same code; half of the time to compile it
      check_rows<Real, Numbers, 2>(device, length, is_inverse, team_size);
      check_rows<Real, Numbers, 3>(device, length, is_inverse, team_size);
    }
  }
}

class RegisterRowsTest : public testing::TestWithParam<Device> {};

TEST_P(RegisterRowsTest, RowsWithGaps) {
  if (GetParam().is_gpu()) {
    GTEST_SKIP() << "GPUs have the kernels in their classes";
  }
  int team_size = 1;
  for (index_t length = 2; length <= longest_register_row(RowKind::from_reals); ++length) {
    check_all_rows<float, RowKind::complex>(GetParam(), length, team_size);
    check_all_rows<float, RowKind::from_reals>(GetParam(), length, team_size);
    check_all_rows<float, RowKind::to_reals>(GetParam(), length, team_size);
    check_all_rows<double, RowKind::complex>(GetParam(), length, team_size);
    check_all_rows<double, RowKind::from_reals>(GetParam(), length, team_size);
    check_all_rows<double, RowKind::to_reals>(GetParam(), length, team_size);
    team_size = team_size % 5 + 1;
  }
}

/// A plan's result for as many rows as the kernel is taken for, with gaps between them and without, in place where the rows on
/// both sides have as many bytes.
template <class Real>
void check_plan(Device device, RowKind numbers, index_t length, Direction direction) {
  const index_t batch =
      index_t{register_rows_of_team(numbers, static_cast<unsigned>(length))} * 4 * device.properties().compute_units + 5;
  const index_t half = length / 2 + 1;
  Descriptor problem{.lengths = {length},
                     .batch = batch,
                     .precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64,
                     .direction = direction,
                     .kind = numbers == RowKind::complex      ? Kind::complex_to_complex
                             : numbers == RowKind::from_reals ? Kind::real_to_complex
                                                              : Kind::complex_to_real,
                     .scale = 0.5};
  const index_t real_distance = 2 * half;
  const index_t complex_distance = numbers == RowKind::complex ? length + 1 : half;
  for (const bool is_padded : {false, true}) {
    SCOPED_TRACE(testing::Message() << "length " << length << ", numbers " << static_cast<int>(numbers) << ", "
                                    << 8 * sizeof(Real) << " bits" << (is_padded ? ", padded" : "") << ", seed " << rows_seed);
    const index_t in = numbers != RowKind::from_reals ? 2 * (is_padded || numbers != RowKind::complex ? complex_distance : length)
                       : is_padded                    ? real_distance
                                                      : length;
    const index_t out = numbers != RowKind::to_reals ? 2 * (is_padded || numbers != RowKind::complex ? complex_distance : length)
                        : is_padded                  ? real_distance
                                                     : length;
    problem.in.distance = numbers == RowKind::from_reals ? in : in / 2;
    problem.out.distance = numbers == RowKind::to_reals ? out : out / 2;
    const auto values = test::random_signal<Real>(batch * (length + 2), rows_seed);
    const Real* const first = reinterpret_cast<const Real*>(values.data());
    const std::vector<Real> input(first, first + batch * in);
    const std::vector<Real> before(static_cast<std::size_t>(batch * out), Real{-7});
    const Plan plan(problem, device);
    if (numbers != RowKind::complex && sizeof(Real) == sizeof(float)) {
      EXPECT_NE(plan.describe().find("each in the registers of a thread"), std::string::npos) << plan.describe();
    }
    const auto run = [&](const Plan& which, const Real* from, Real* to) {
      if (numbers == RowKind::complex) {
        which.execute(reinterpret_cast<const Complex<Real>*>(from), reinterpret_cast<Complex<Real>*>(to));
      } else if (numbers == RowKind::from_reals) {
        which.execute(from, reinterpret_cast<Complex<Real>*>(to));
      } else {
        which.execute(reinterpret_cast<const Complex<Real>*>(from), to);
      }
    };
    std::vector<Real> expected = before;
    run(Plan(problem, Device::host()), input.data(), expected.data());
    exec::Buffer<Real> source(device, std::span<const Real>(input));
    exec::Buffer<Real> target(device, std::span<const Real>(before));
    run(plan, source.data(), target.data());
    std::vector<Real> result(before.size());
    target.copy_to(result);
    test::RelativeError error;
    for (std::size_t i = 0; i < result.size(); ++i) {
      error.add(Complex<Real>{result[i], 0}, {expected[i], 0});
    }
    EXPECT_LE(error.value(), 2 * test::tolerance<Real>(length));
    if (in == out) {
      run(plan, source.data(), source.data());
      std::vector<Real> same(input.size());
      source.copy_to(same);
      const index_t written = numbers == RowKind::to_reals ? length : numbers == RowKind::complex ? 2 * length : 2 * half;
      for (index_t row = 0; row < batch; ++row) {
        const auto begin = static_cast<std::ptrdiff_t>(row * out);
        ASSERT_TRUE(std::equal(same.begin() + begin, same.begin() + begin + written, result.begin() + begin)) << "row " << row;
      }
    }
  }
}

TEST_P(RegisterRowsTest, PlansOfManyRows) {
  if (!GetParam().is_gpu()) {
    GTEST_SKIP() << "other devices do not take these rows";
  }
  for (index_t length = 2; length <= longest_register_row(RowKind::from_reals); ++length) {
    if (register_row_class<float>(RowKind::complex, length) >= 0) {
      check_plan<float>(GetParam(), RowKind::complex, length, length % 2 == 0 ? Direction::forward : Direction::inverse);
      check_plan<double>(GetParam(), RowKind::complex, length, length % 2 == 1 ? Direction::forward : Direction::inverse);
    }
    if (register_row_class<float>(RowKind::from_reals, length) >= 0) {
      check_plan<float>(GetParam(), RowKind::from_reals, length, Direction::forward);
      check_plan<double>(GetParam(), RowKind::from_reals, length, Direction::forward);
      check_plan<float>(GetParam(), RowKind::to_reals, length, Direction::inverse);
      check_plan<double>(GetParam(), RowKind::to_reals, length, Direction::inverse);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RegisterRowsTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
