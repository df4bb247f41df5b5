#include "phpc/fft/convolution.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"

namespace phpc::fft {
namespace {

using test::Wide;

constexpr unsigned convolution_seed = 77;

/// Element k of the full convolution of a signal with a filter, of three axes, as one sum; cyclic: of the signal repeated.
Wide convolved_at(const std::vector<Wide>& x, const std::vector<index_t>& n, const std::vector<Wide>& h,
                  const std::vector<index_t>& m, const std::vector<index_t>& k, bool is_cyclic) {
  Wide sum{0, 0};
  for (index_t a = 0; a < m[0]; ++a) {
    for (index_t b = 0; b < m[1]; ++b) {
      for (index_t c = 0; c < m[2]; ++c) {
        index_t place[] = {k[0] - a, k[1] - b, k[2] - c};
        bool is_inside = true;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          place[axis] = is_cyclic ? (place[axis] + n[axis]) % n[axis] : place[axis];
          is_inside = is_inside && place[axis] >= 0 && place[axis] < n[axis];
        }
        if (is_inside) {
          sum = sum + h[static_cast<std::size_t>((a * m[1] + b) * m[2] + c)] *
                          x[static_cast<std::size_t>((place[0] * n[1] + place[1]) * n[2] + place[2])];
        }
      }
    }
  }
  return sum;
}

std::vector<index_t> three(const std::vector<index_t>& lengths) {
  std::vector<index_t> all(3 - lengths.size(), 1);
  all.insert(all.end(), lengths.begin(), lengths.end());
  return all;
}

class ConvolutionTest : public testing::TestWithParam<exec::Device> {
 protected:
  /// Numbers of a form, as the real numbers they are made of.
  template <class Real>
  static std::vector<Real> numbers(Elements elements, index_t count, unsigned from) {
    const auto values = test::random_signal<Real>(count, from);
    std::vector<Real> parts;
    for (const Complex<Real> value : values) {
      parts.push_back(value.re);
      if (elements == Elements::complex) {
        parts.push_back(value.im);
      }
    }
    return parts;
  }
  template <class Real>
  static std::vector<Wide> wide(Elements elements, const std::vector<Real>& parts) {
    std::vector<Wide> values;
    for (std::size_t i = 0; i < parts.size(); i += elements == Elements::complex ? 2 : 1) {
      values.push_back({parts[i], elements == Elements::complex ? parts[i + 1] : Real{0}});
    }
    return values;
  }
  template <class Real>
  static Array<Real> array(Elements elements, Real* parts) {
    using Pair = std::conditional_t<std::is_const_v<Real>, const Complex<std::remove_const_t<Real>>, Complex<Real>>;
    return elements == Elements::complex ? Array<Real>(reinterpret_cast<Pair*>(parts)) : Array<Real>(parts);
  }

  template <class Real>
  static void check(ConvolutionDescriptor d) {
    d.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
    const std::vector<index_t> n = three(d.lengths);
    const std::vector<index_t> m = three(d.filter_lengths);
    const std::vector<index_t> out_lengths = three(d.out_lengths());
    const index_t each = n[0] * n[1] * n[2];
    const index_t out_each = out_lengths[0] * out_lengths[1] * out_lengths[2];
    const auto x = numbers<Real>(d.elements, each * d.batch, convolution_seed);
    const auto h = numbers<Real>(d.elements, m[0] * m[1] * m[2], convolution_seed + 1);
    const Convolution convolution(d, GetParam(), array<const Real>(d.elements, h.data()));
    const exec::Buffer<Real> in(GetParam(), std::span<const Real>(x));
    std::vector<Real> result(static_cast<std::size_t>(out_each * d.batch) * (d.elements == Elements::complex ? 2 : 1));
    exec::Buffer<Real> out(GetParam(), static_cast<index_t>(result.size()));
    convolution.execute(array<const Real>(d.elements, in.data()), array<Real>(d.elements, out.data()));
    out.copy_to(result);
    const auto wide_x = wide(d.elements, x);
    const auto wide_h = wide(d.elements, h);
    const auto got = wide(d.elements, result);
    test::RelativeError error;
    for (index_t item = 0; item < d.batch; ++item) {
      const std::vector<Wide> one(wide_x.begin() + item * each, wide_x.begin() + (item + 1) * each);
      for (index_t i = 0; i < out_each; ++i) {
        std::vector<index_t> k{i / out_lengths[2] / out_lengths[1], i / out_lengths[2] % out_lengths[1], i % out_lengths[2]};
        for (std::size_t axis = 0; axis < 3; ++axis) {
          k[axis] += d.extent == Extent::same ? (m[axis] - 1) / 2 : d.extent == Extent::valid ? m[axis] - 1 : 0;
        }
        const Wide expected = convolved_at(one, n, wide_h, m, k, d.extent == Extent::cyclic);
        const Wide value = got[static_cast<std::size_t>(item * out_each + i)];
        error.add(Complex<double>{static_cast<double>(value.re), static_cast<double>(value.im)}, expected);
      }
    }
    // Two transforms and a product.
    EXPECT_LE(error.value(), 3 * test::tolerance<Real>(2 * each))
        << "extent " << static_cast<int>(d.extent) << ", length " << d.lengths.back() << ", seed " << convolution_seed;
  }
};

TEST_P(ConvolutionTest, OfEveryExtentIsTheSum) {
  for (const Extent extent : {Extent::full, Extent::same, Extent::valid, Extent::cyclic}) {
    for (const Elements elements : {Elements::real, Elements::complex}) {
      const auto both = [&](std::vector<index_t> lengths, std::vector<index_t> filter, index_t batch) {
        const ConvolutionDescriptor d{.lengths = std::move(lengths),
                                      .filter_lengths = std::move(filter),
                                      .batch = batch,
                                      .elements = elements,
                                      .extent = extent};
        check<float>(d);
        check<double>(d);
      };
      both({1}, {1}, 1);
      both({100}, {7}, 3);
      both({101}, {100}, 2);
      both({17}, {17}, 2);
      both({12, 9}, {3, 5}, 2);
      both({4, 5, 6}, {2, 1, 3}, 2);
    }
  }
}

TEST_P(ConvolutionTest, AFilterLongerThanTheSignal) {
  for (const Extent extent : {Extent::full, Extent::same}) {
    check<float>({.lengths = {5}, .filter_lengths = {40}, .batch = 2, .extent = extent});
  }
}

TEST_P(ConvolutionTest, WhatDoesNotFitIsAUsageError) {
  const std::vector<float> h(100);
  const auto make = [&](const ConvolutionDescriptor& d) { const Convolution convolution(d, GetParam(), h.data()); };
  EXPECT_THROW(make({}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {2, 2}}), Error);
  EXPECT_THROW(make({.lengths = {0}, .filter_lengths = {1}}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {0}}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {5}, .extent = Extent::valid}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {5}, .extent = Extent::cyclic}), Error);
  EXPECT_THROW(make({.lengths = {4, 4, 4, 4}, .filter_lengths = {1, 1, 1, 1}}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {2}, .batch = -1}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {2}, .precision = Precision::f64}), Error);
  EXPECT_THROW(make({.lengths = {4}, .filter_lengths = {2}, .elements = Elements::complex}), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, ConvolutionTest, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
