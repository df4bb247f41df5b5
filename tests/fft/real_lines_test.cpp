#include <gtest/gtest.h>

#include <vector>

#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/nd_oracle.hpp"

namespace phpc::fft {
namespace {

constexpr unsigned real_lines_seed = 15;

/// Long real lines as they may lie in memory. GPUs have kernels of whole lines for the lengths here.
class RealLinesTest : public testing::TestWithParam<exec::Device> {
 protected:
  /// Lines of `length` real numbers, `padding` more from one to the next, `shift` from where an array of complex numbers could
  /// begin, to or from spectra with `padding` elements in between. What lies between is left alone.
  template <class Real>
  static void check(index_t length, Kind kind, index_t padding, index_t shift) {
    const bool from_real = kind == Kind::real_to_complex;
    const index_t real_distance = length + padding;
    const index_t half_distance = length / 2 + 1 + padding;
    Descriptor d{.lengths = {length}, .batch = 3, .kind = kind, .scale = 0.25};
    d.direction = from_real ? Direction::forward : Direction::inverse;
    d.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
    d.in.distance = from_real ? real_distance : half_distance;
    d.out.distance = from_real ? half_distance : real_distance;
    const std::vector<Real> in =
        numbers<Real>(from_real ? d.batch * real_distance : 2 * d.batch * half_distance, real_lines_seed);
    const std::vector<Real> before =
        numbers<Real>(from_real ? 2 * d.batch * half_distance : d.batch * real_distance, real_lines_seed + 1);
    const index_t in_shift = from_real ? shift : 0;
    const index_t out_shift = from_real ? 0 : shift;
    exec::Buffer<Real> from(GetParam(), static_cast<index_t>(in.size()) + in_shift);
    exec::Buffer<Real> to(GetParam(), static_cast<index_t>(before.size()) + out_shift);
    from.copy_from(in, in_shift);
    to.copy_from(before, out_shift);
    const Plan plan(d, GetParam());
    if (from_real) {
      plan.execute(from.data() + in_shift, reinterpret_cast<Complex<Real>*>(to.data()));
    } else {
      plan.execute(reinterpret_cast<const Complex<Real>*>(from.data()), to.data() + out_shift);
    }
    std::vector<Real> out(before.size());
    to.copy_to(out, out_shift);

    test::RelativeError error;
    std::vector<Real> expected_rest = before;
    for (index_t batch = 0; batch < d.batch; ++batch) {
      std::vector<test::Wide> line;
      const index_t first = batch * d.in.distance;
      for (index_t i = 0; i < d.in_lengths().back(); ++i) {
        line.push_back(from_real ? test::Wide{at(in, first + i), 0}
                                 : test::Wide{at(in, 2 * (first + i)), at(in, 2 * (first + i) + 1)});
      }
      index_t place = batch * d.out.distance * (from_real ? 2 : 1);
      for (const test::Wide expected : test::transform_by_definition(d, line)) {
        const int parts = from_real ? 2 : 1;
        error.add(Complex<Real>{at(out, place), from_real ? at(out, place + 1) : Real{0}}, expected);
        for (int part = 0; part < parts; ++part, ++place) {
          expected_rest[static_cast<std::size_t>(place)] = at(out, place);
        }
      }
    }
    SCOPED_TRACE(testing::Message() << "length " << length << ", padding " << padding << ", shift " << shift << ", seed "
                                    << real_lines_seed);
    EXPECT_LE(error.value(), test::tolerance<Real>(length));
    EXPECT_TRUE(expected_rest == out) << "gaps of the output were written";
  }

  /// Spectra that lie side by side are those that lie one after another.
  template <class Real>
  static void check_side_by_side(index_t length) {
    constexpr index_t batch = 40;
    const index_t half = length / 2 + 1;
    Descriptor d{.lengths = {length}, .batch = batch, .kind = Kind::real_to_complex};
    d.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
    const std::vector<Real> in = numbers<Real>(batch * length, real_lines_seed);
    exec::Buffer<Real> from(GetParam(), batch * length);
    from.copy_from(in);
    std::vector<Complex<Real>> results[2];
    for (const bool are_columns : {false, true}) {
      if (are_columns) {
        d.out = {.strides = {batch}, .distance = 1};
      }
      exec::Buffer<Complex<Real>> to(GetParam(), batch * half);
      Plan(d, GetParam()).execute(from.data(), to.data());
      std::vector<Complex<Real>>& result = results[are_columns ? 1 : 0];
      result.resize(static_cast<std::size_t>(batch * half));
      to.copy_to(result);
    }
    test::RelativeError error;
    for (index_t line = 0; line < batch; ++line) {
      for (index_t k = 0; k < half; ++k) {
        const Complex<Real> expected = results[0][static_cast<std::size_t>(line * half + k)];
        error.add(results[1][static_cast<std::size_t>(k * batch + line)], {expected.re, expected.im});
      }
    }
    EXPECT_LE(error.value(), 2 * test::tolerance<Real>(length)) << "length " << length << ", seed " << real_lines_seed;
  }

 private:
  template <class Real>
  static std::vector<Real> numbers(index_t count, unsigned numbers_seed) {
    std::vector<Real> values;
    for (const Complex<Real> value : test::random_signal<Real>(count, numbers_seed)) {
      values.push_back(value.re);
    }
    return values;
  }
  template <class Real>
  static Real at(const std::vector<Real>& values, index_t place) {
    return values[static_cast<std::size_t>(place)];
  }
};

TEST_P(RealLinesTest, OneAfterAnother) {
  for (const Kind kind : {Kind::real_to_complex, Kind::complex_to_real}) {
    for (const index_t length : {32768, 65536, 131072, 200000}) {
      check<float>(length, kind, 0, 0);
      check<double>(length, kind, 0, 0);
    }
  }
}

TEST_P(RealLinesTest, WithGaps) {
  for (const Kind kind : {Kind::real_to_complex, Kind::complex_to_real}) {
    for (const index_t length : {65536, 131072}) {
      check<float>(length, kind, 6, 0);
      check<double>(length, kind, 6, 0);
      // Every other line begins between two pairs.
      check<float>(length, kind, 7, 0);
      check<double>(length, kind, 7, 0);
    }
  }
}

TEST_P(RealLinesTest, ToColumns) {
  for (const index_t length : {34, 74, 128, 200, 256, 315, 1000, 2018, 4096}) {
    check_side_by_side<float>(length);
    check_side_by_side<double>(length);
  }
}

TEST_P(RealLinesTest, FromAnyPlaceOn) {
  for (const Kind kind : {Kind::real_to_complex, Kind::complex_to_real}) {
    for (const index_t length : {1000, 65536, 131072}) {
      check<float>(length, kind, 0, 1);
      check<double>(length, kind, 2, 1);
    }
    // Half of each fits into a team's scratch on a GPU of 227 KiB, but not with the padding of the kernel for any device.
    check<float>(54000, kind, 0, 1);
    check<double>(27000, kind, 0, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, RealLinesTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
