#include "fft/device/fixed/pass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fft/device/fixed/convolutions/convolution.hpp"
#include "fft/device/fixed/convolutions/convolved_rows.hpp"
#include "fft/device/fixed/shapes/lookup.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/pass/pass.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/roots.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/fixed_tables.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

constexpr unsigned seed = 11;
constexpr std::size_t plenty = std::size_t{227} << 10;

/// The kernels that are compiled for a length, for small ones and on every device: the library runs them on GPUs only.
class FixedPass : public testing::TestWithParam<exec::Device> {
 protected:
  /// `batch` transforms; those of columns lie side by side, and may be those of one pass of several over a line.
  template <class Real, class Shape, Along Load, Along Store>
  void check(index_t batch, int host_team_size, bool has_twiddles = false) {
    constexpr index_t n = Shape::length;
    const exec::Device device = GetParam();
    const auto table = test::fixed_twiddles<Real, Shape>();
    const exec::Buffer<Complex<Real>> on_device(device, std::span<const Complex<Real>>(table));
    const auto signal = test::random_signal<Real>(n * batch, seed);
    const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
    exec::Buffer<Complex<Real>> out(device, in.size());
    using Kernel = FixedPassKernel<Real, Shape, Load, Store>;
    Kernel kernel{in.data(),
                  out.data(),
                  on_device.data(),
                  batch,
                  Load == Along::inner ? batch : n,
                  Store == Along::inner ? batch : n,
                  Real{2},
                  false,
                  true,
                  {}};
    PassTables<Real> tables(device);
    if constexpr (Kernel::has_columns) {
      kernel.columns.middle_count = 1;
      if (has_twiddles) {
        Pass<Real> pass;
        pass.length = Shape::length;
        tables.set_four_step_twiddles(pass, n * batch);
        kernel.columns.twiddles = {pass.fine, pass.coarse, pass.fine_shift};
      }
    }
    const RootsOfUnity root(n * batch);
    test::launch_in_team(device, {.groups = ceil_div(batch, Shape::width)}, host_team_size, kernel);
    std::vector<Complex<Real>> result(signal.size());
    out.copy_to(result);
    const auto at = [&](Along along, index_t transform, index_t e) {
      return static_cast<std::size_t>(along == Along::inner ? e * batch + transform : transform * n + e);
    };
    test::RelativeError error;
    for (index_t transform = 0; transform < batch; ++transform) {
      std::vector<Complex<Real>> one(static_cast<std::size_t>(n));
      for (index_t e = 0; e < n; ++e) {
        one[static_cast<std::size_t>(e)] = signal[at(Load, transform, e)];
      }
      const auto expected = test::dft(test::widened(one, 0, n), Direction::forward);
      for (index_t k = 0; k < n; ++k) {
        const Complex<Real> got = result[at(Store, transform, k)];
        const Complex<long double> factor = has_twiddles ? root.in_long_double(k * transform) : Complex<long double>{1, 0};
        error.add(Complex<Real>{got.im / 2, got.re / 2}, expected[static_cast<std::size_t>(k)] * factor);
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(n)) << "length " << n << ", host team " << host_team_size << ", seed " << seed;
  }

  template <class Real, class Shape>
  void check_forms() {
    for (const int host_team_size : {1, 3, Shape::threads * Shape::width}) {
      for (const index_t batch : {1, 3 * Shape::width, 3 * Shape::width + 1}) {
        check<Real, Shape, Along::element, Along::element>(batch, host_team_size);
        if constexpr (Shape::stages > 1) {
          check<Real, Shape, Along::inner, Along::inner>(batch, host_team_size);
          check<Real, Shape, Along::inner, Along::inner>(batch, host_team_size, true);
          check<Real, Shape, Along::element, Along::inner>(batch, host_team_size);
        }
      }
      if (!GetParam().is_host()) {
        break;
      }
    }
  }
};

TEST_P(FixedPass, OneStage) {
  check_forms<double, FixedShape<1, 4, 0, 8>>();
  check_forms<float, FixedShape<2, 3, 0, 15>>();
}
TEST_P(FixedPass, TwoStages) {
  check_forms<float, FixedShape<4, 2, 0, 4, 3>>();
  check_forms<double, FixedShape<3, 5, 0, 10, 6>>();
}
TEST_P(FixedPass, ThreeStages) {
  check_forms<float, FixedShape<16, 2, 0, 12, 8, 2>>();
}
TEST_P(FixedPass, LargeRadices) {
  check_forms<float, FixedShape<9, 1, 0, 27, 9>>();
  check_forms<double, FixedShape<18, 1, 0, 20, 18>>();
  check_forms<float, FixedShape<21, 1, 0, 21, 25>>();
  check_forms<double, FixedShape<22, 1, 0, 32, 22>>();
  check_forms<float, FixedShape<26, 1, 0, 28, 26>>();
  check_forms<double, FixedShape<12, 1, 0, 24, 12>>();
}
TEST_P(FixedPass, FourStages) {
  check_forms<double, FixedShape<21, 1, 0, 14, 5, 3, 3>>();
}

/// Numbers of rows, as a kernel takes them.
template <class Real>
std::vector<Real> parts_of(const std::vector<Complex<Real>>& values) {
  const Real* const first = reinterpret_cast<const Real*>(values.data());
  return {first, first + 2 * values.size()};
}

/// What one row of n numbers, given as real and imaginary parts or as real numbers, is transformed to, in the same form.
template <class Real, RowKind Kind>
std::vector<long double> expected_row(const Real* row, index_t n, bool is_inverse) {
  std::vector<test::Wide> whole(static_cast<std::size_t>(n));
  for (index_t e = 0; e < n; ++e) {
    auto& value = whole[static_cast<std::size_t>(e)];
    if constexpr (Kind == RowKind::complex) {
      value = {row[2 * e], row[2 * e + 1]};
    } else if constexpr (Kind == RowKind::from_reals) {
      value = {row[e], 0};
    } else {
      const index_t k = 2 * e > n ? n - e : e;
      const bool is_own = k == 0 || 2 * k == n;
      value = {row[2 * k], is_own ? 0 : 2 * e > n ? -row[2 * k + 1] : row[2 * k + 1]};
    }
  }
  const std::vector<test::Wide> all = test::dft(whole, is_inverse ? Direction::inverse : Direction::forward);
  std::vector<long double> parts;
  for (index_t k = 0; k < (Kind == RowKind::from_reals ? n / 2 + 1 : n); ++k) {
    parts.push_back(all[static_cast<std::size_t>(k)].re);
    if constexpr (Kind != RowKind::to_reals) {
      parts.push_back(all[static_cast<std::size_t>(k)].im);
    }
  }
  return parts;
}

/// Bluestein's transform of rows of n numbers in a kernel of one length, against the definition. Behind each row there is room
/// that no kernel may write.
template <class Real, class Shape, RowKind Kind>
void check_convolution(exec::Device device, index_t n, index_t batch, bool is_inverse, int host_team_size) {
  constexpr index_t padded = Shape::length;
  const index_t half = n / 2 + 1;
  const ChirpExtents extents{Kind == RowKind::to_reals ? half : n, Kind == RowKind::from_reals ? half : n};
  const std::vector<Complex<double>> chirp_values = chirp(n);
  std::vector<Complex<double>> load(chirp_values.begin(), chirp_values.begin() + extents.elements);
  for (index_t k = 1; Kind == RowKind::to_reals && 2 * k < n; ++k) {
    load[static_cast<std::size_t>(k)] = scaled(load[static_cast<std::size_t>(k)], 2.0);
  }
  std::vector<test::Wide> filter;
  for (const Complex<double>& value : bluestein_filter(chirp_values, padded, extents)) {
    filter.push_back({value.re, value.im});
  }
  const auto in_device = [&](const auto& values) {
    std::vector<Complex<Real>> narrow;
    for (const auto& value : values) {
      narrow.push_back({static_cast<Real>(value.re), static_cast<Real>(value.im)});
    }
    return exec::Buffer<Complex<Real>>(device, std::span<const Complex<Real>>(narrow));
  };
  using Kernel = FixedConvolutionKernel<Real, Shape, Kind>;
  const auto table = test::fixed_twiddles<Real, Shape>();
  const exec::Buffer<Complex<Real>> twiddles(device, std::span<const Complex<Real>>(table));
  const auto load_factors = in_device(load);
  const auto store_factors = in_device(chirp_values);
  const auto spectrum = in_device(test::dft(filter, Direction::forward));
  constexpr index_t from_parts = Kind == RowKind::from_reals ? 1 : 2;
  constexpr index_t to_parts = Kind == RowKind::to_reals ? 1 : 2;
  const index_t from_step = extents.elements + 2;
  const index_t to_step = extents.results + 1;
  const std::vector<Real> signal = parts_of(test::random_signal<Real>(from_step * batch, seed));
  std::vector<Real> result(static_cast<std::size_t>(to_parts * to_step * batch), Real{3});
  const exec::Buffer<Real> in(device, std::span<const Real>(signal));
  exec::Buffer<Real> out(device, std::span<const Real>(result));
  test::launch_in_team(
      device, {.groups = ceil_div(batch, Shape::width)}, host_team_size,
      Kernel{reinterpret_cast<const typename Kernel::From*>(in.data()), reinterpret_cast<typename Kernel::To*>(out.data()),
             twiddles.data(), load_factors.data(), store_factors.data(), spectrum.data(), batch, from_step, to_step,
             static_cast<int>(n), Real{0.5}, is_inverse});
  out.copy_to(result);
  long double squared_error = 0;
  long double squared = 0;
  for (index_t row = 0; row < batch; ++row) {
    const std::vector<long double> expected =
        expected_row<Real, Kind>(signal.data() + row * from_step * from_parts, n, is_inverse);
    const Real* const found = result.data() + row * to_step * to_parts;
    for (std::size_t part = 0; part < expected.size(); ++part) {
      const long double error = 2 * static_cast<long double>(found[part]) - expected[part];
      squared_error += error * error;
      squared += expected[part] * expected[part];
    }
    EXPECT_EQ(found[extents.results * to_parts], 3);
  }
  EXPECT_LE(std::sqrt(squared_error / squared), 2 * test::tolerance<Real>(n))
      << "length " << n << ", kind " << static_cast<int>(Kind) << ", host team " << host_team_size << ", seed " << seed;
}

TEST_P(FixedPass, Convolution) {
  for (const int host_team_size : {1, 3, 16}) {
    for (const index_t n : {1, 7, 16}) {
      check_convolution<float, FixedShape<8, 2, 0, 4, 2, 4>, RowKind::complex>(GetParam(), n, 5, n == 7, host_team_size);
    }
    check_convolution<double, FixedShape<5, 3, 0, 10, 6>, RowKind::complex>(GetParam(), 29, 4, true, host_team_size);
    check_convolution<double, FixedShape<9, 1, 0, 3, 4, 3, 5>, RowKind::complex>(GetParam(), 89, 2, false, host_team_size);
    if (!GetParam().is_host()) {
      break;
    }
  }
}

TEST_P(FixedPass, ConvolutionOfReals) {
  for (const int host_team_size : {1, 3, 16}) {
    for (const index_t n : {1, 2, 7, 20, 21}) {  // 21 + 11 - 1 = 31 of 32
      check_convolution<float, FixedShape<8, 2, 0, 4, 2, 4>, RowKind::from_reals>(GetParam(), n, 5, n == 7, host_team_size);
      check_convolution<float, FixedShape<8, 2, 0, 4, 2, 4>, RowKind::to_reals>(GetParam(), n, 5, n != 7, host_team_size);
    }
    check_convolution<double, FixedShape<5, 3, 0, 10, 6>, RowKind::from_reals>(GetParam(), 40, 4, false, host_team_size);
    check_convolution<double, FixedShape<9, 1, 0, 3, 4, 3, 5>, RowKind::to_reals>(GetParam(), 119, 2, true, host_team_size);
    if (!GetParam().is_host()) {
      break;
    }
  }
}

/// The middle pass of long convolutions: rows of each line, against the definition.
template <class Real, class Shape>
void check_convolved_rows(exec::Device device, index_t rows, index_t lines, int host_team_size) {
  constexpr index_t k = Shape::length;
  const auto spectrum = test::random_signal<Real>(rows * k, seed + 1);
  const auto signal = test::random_signal<Real>(lines * rows * k, seed);
  PassTables<Real> tables(device, 0);
  Pass<Real> pass;
  tables.set_four_step_twiddles(pass, rows * k);
  const auto table = test::fixed_twiddles<Real, Shape>();
  const exec::Buffer<Complex<Real>> twiddles(device, std::span<const Complex<Real>>(table));
  const exec::Buffer<Complex<Real>> spectrum_there(device, std::span<const Complex<Real>>(spectrum));
  exec::Buffer<Complex<Real>> data(device, std::span<const Complex<Real>>(signal));
  using Kernel = FixedConvolvedRowsKernel<Real, Shape>;
  test::launch_in_team(device, {.groups = ceil_div(lines * rows, Shape::width)}, host_team_size,
                       Kernel{data.data(),
                              twiddles.data(),
                              spectrum_there.data(),
                              {pass.fine, pass.coarse, pass.fine_shift},
                              lines * rows,
                              static_cast<int>(rows)});
  std::vector<Complex<Real>> result(signal.size());
  data.copy_to(result);
  const RootsOfUnity root(rows * k);
  test::RelativeError error;
  for (index_t row = 0; row < lines * rows; ++row) {
    std::vector<test::Wide> product = test::dft(test::widened(signal, row * k, k), Direction::forward);
    for (index_t e = 0; e < k; ++e) {
      const Complex<Real> factor = spectrum[static_cast<std::size_t>(row % rows * k + e)];
      product[static_cast<std::size_t>(e)] = product[static_cast<std::size_t>(e)] * test::Wide{factor.re, factor.im};
    }
    const std::vector<test::Wide> back = test::dft(product, Direction::inverse);
    for (index_t e = 0; e < k; ++e) {
      const test::Wide value = back[static_cast<std::size_t>(e)];
      const Complex<double> twiddle = root(row % rows * e);
      error.add(result[static_cast<std::size_t>(row * k + e)],
                test::Wide{value.im, value.re} * test::Wide{twiddle.re, twiddle.im});
    }
  }
  EXPECT_LE(error.value(), 2 * test::tolerance<Real>(k))
      << "rows of " << k << ", host team " << host_team_size << ", seed " << seed;
}

TEST_P(FixedPass, ConvolvedRows) {
  for (const int host_team_size : {1, 3, 16}) {
    check_convolved_rows<float, FixedShape<8, 2, 0, 4, 2, 4>>(GetParam(), 5, 3, host_team_size);
    check_convolved_rows<double, FixedShape<5, 3, 0, 10, 6>>(GetParam(), 7, 2, host_team_size);
    check_convolved_rows<double, FixedShape<9, 1, 0, 3, 4, 3, 5>>(GetParam(), 1, 2, host_team_size);
    if (!GetParam().is_host()) {
      break;
    }
  }
}

template <class Real>
void expect_radices_multiply(PassForm form, const std::vector<index_t>& lengths) {
  for (const index_t length : lengths) {
    const std::vector<int> radices = fixed_radices<Real>(form, length, plenty);
    index_t product = radices.empty() ? 0 : 1;
    for (const int radix : radices) {
      product *= radix;
    }
    EXPECT_EQ(product, length);
  }
}

TEST(FixedRadices, AreThoseOfTheLength) {
  expect_radices_multiply<float>(PassForm::rows, {8, 100, 4096, 16384});
  expect_radices_multiply<double>(PassForm::columns, {128, 400});
  EXPECT_TRUE(fixed_radices<float>(PassForm::rows, 7, plenty).empty());
  EXPECT_TRUE(fixed_radices<double>(PassForm::columns, 8, plenty).empty());
}

TEST(FixedShapes, AreTakenOnlyWhereTheirScratchFits) {
  EXPECT_TRUE(fixed_radices<float>(PassForm::rows, 16384, 100 << 10).empty());
  EXPECT_FALSE(fixed_radices<float>(PassForm::rows, 4096, 100 << 10).empty());
  EXPECT_TRUE(fixed_radices<float>(PassForm::rows, 8, 0).empty());
  EXPECT_EQ(column_pair<float>(1 << 15, plenty, FixedColumns<float>::Shapes{}), (std::vector<index_t>{256, 128}));
  EXPECT_TRUE(has_fused_four_step<float>(PassForm::fused_four_step, 1 << 20, plenty));
  EXPECT_FALSE(has_fused_four_step<float>(PassForm::fused_four_step, 1 << 20, 32 << 10));
  EXPECT_FALSE(has_fused_four_step<double>(PassForm::fused_four_step, 1 << 13, plenty));
  EXPECT_FALSE(has_fused_four_step<float>(PassForm::rows, 4096, plenty));
  for (const PassForm form : {PassForm::fused_four_step_from_real, PassForm::fused_four_step_to_real}) {
    EXPECT_TRUE(has_fused_four_step<float>(form, 1 << 15, plenty));
    EXPECT_TRUE(has_fused_four_step<double>(form, 1 << 19, plenty));
    EXPECT_FALSE(has_fused_four_step<double>(form, 15625, plenty));  // lines of an odd number have no middle
  }
  EXPECT_EQ(column_pair<float>(10000, plenty, FixedColumns<float>::Shapes{}), (std::vector<index_t>{100, 100}));
  EXPECT_TRUE(column_pair<float>(1 << 15, 0, FixedColumns<float>::Shapes{}).empty());
  EXPECT_TRUE(column_pair<float>(10007, plenty, FixedColumns<float>::Shapes{}).empty());
  EXPECT_EQ(convolution_length<float>(1021, plenty, FixedConvolutions<float>::Shapes{}), 1024);
  EXPECT_EQ(convolution_length<float>(1021, 12 << 10, FixedConvolutions<float>::Shapes{}), 1024);
  EXPECT_EQ(convolution_length<float>(2047, 12 << 10, FixedConvolutions<float>::Shapes{}), 0);
  static_assert(scratch_bytes_of<double, FixedShape<256, 1, 0, 16, 16, 16>>() >=
                sizeof(FixedPassKernel<double, FixedShape<256, 1, 0, 16, 16, 16>, Along::element, Along::element>::Scratch));
  static_assert(scratch_bytes_of<float, FixedShape<16, 16, 0, 16, 8>>() >=
                sizeof(FixedPassKernel<float, FixedShape<16, 16, 0, 16, 8>, Along::element, Along::inner>::Scratch));
}

/// Columns whose kernels were measured beside the general one cost their share of what that does, and are no pair without a
/// choice.
TEST(FixedShapes, ColumnsWithSharesAreChosenByTheirCost) {
  constexpr index_t step = 1 << 10;
  const double general = cost_of_pass<double>(363, step, plenty, {});
  EXPECT_NEAR(cost_of_pass<double>(363, step, plenty, {{343, 0.9}, {363, 0.5}}), 0.5 * general, 1e-12 * general);
  EXPECT_EQ(cost_of_pass<double>(363, step, plenty, {{343, 0.9}}), general);
  EXPECT_LT(cost_of_pass<double>(512, step, plenty, {{512, 0}}), cost_of_pass<double>(512, step, plenty, {}));
  EXPECT_FALSE(fixed_radices<double>(PassForm::columns, 363, plenty).empty());
  EXPECT_TRUE(column_pair<double>(363 * 363, plenty, FixedColumns<double>::Shapes{}).empty());
  EXPECT_TRUE(column_pair<double>(363 * 512, plenty, FixedColumns<double>::Shapes{}).empty());
  EXPECT_EQ(general_pass_lengths<double>(363 * 363, plenty, {{363, 0.3}}).lengths, (std::vector<index_t>{363, 363}));
}

INSTANTIATE_TEST_SUITE_P(Devices, FixedPass, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
