#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"
#include "phpc/fft/plan.hpp"
#include "support/devices.hpp"
#include "support/nd_oracle.hpp"

namespace phpc::fft {
namespace {

using exec::Device;
using test::Wide;

constexpr unsigned layouts_seed = 20261122;

/// An array in host memory as the numbers it is made of: `parts[0]` holds the real numbers, the real parts or the pairs,
/// parts[1] the imaginary parts of planar numbers.
template <class Real>
class TestArray {
 public:
  TestArray(Elements elements, index_t size, unsigned array_seed) : elements_(elements) {
    std::mt19937 random(array_seed);
    const auto count = static_cast<std::size_t>(elements == Elements::complex ? 2 * size : size);
    for (auto& part : parts_) {
      part.resize(elements != Elements::planar && &part != parts_ ? 0 : count);
      for (Real& value : part) {
        value = static_cast<Real>(static_cast<double>(random() >> 8) / static_cast<double>(1 << 23) - 1);
      }
    }
  }
  [[nodiscard]] Wide at(index_t place) const {
    const auto i = static_cast<std::size_t>(place);
    switch (elements_) {
      case Elements::complex:
        return {parts_[0][2 * i], parts_[0][2 * i + 1]};
      case Elements::planar:
        return {parts_[0][i], parts_[1][i]};
      case Elements::real:
        break;
    }
    return {parts_[0][i], 0};
  }
  [[nodiscard]] Array<Real> array(Real* first, Real* second) const {
    if (elements_ == Elements::complex) {
      return reinterpret_cast<Complex<Real>*>(first);
    }
    return elements_ == Elements::planar ? Array<Real>(first, second) : Array<Real>(first);
  }
  [[nodiscard]] Array<Real> host() { return array(parts_[0].data(), parts_[1].data()); }
  std::vector<Real>& part(std::size_t index) { return parts_[index]; }
  friend bool operator==(const TestArray& a, const TestArray& b) {
    return a.parts_[0] == b.parts_[0] && a.parts_[1] == b.parts_[1];
  }

 private:
  Elements elements_;
  std::vector<Real> parts_[2];
};

Elements elements_of(const Descriptor& descriptor, bool is_in) {
  if (descriptor.kind == (is_in ? Kind::real_to_complex : Kind::complex_to_real)) {
    return Elements::real;
  }
  const Layout& layout = is_in ? descriptor.in : descriptor.out;
  return layout.storage == Storage::planar ? Elements::planar : Elements::complex;
}

std::string text_of(const Descriptor& d) {
  const auto list = [](const std::vector<index_t>& values) {
    std::string text = "{";
    for (const index_t value : values) {
      text += std::to_string(value) + " ";
    }
    return text + "}";
  };
  std::string text = "lengths " + list(d.lengths) + " batch " + std::to_string(d.batch) + " kind " +
                     std::to_string(static_cast<int>(d.kind)) + " direction " + std::to_string(static_cast<int>(d.direction)) +
                     " in " + list(d.in.strides) + std::to_string(d.in.distance) + (d.in.storage == Storage::planar ? "p" : "") +
                     " out " + list(d.out.strides) + std::to_string(d.out.distance) +
                     (d.out.storage == Storage::planar ? "p" : "") + " repeats";
  for (const Repeat& repeat : d.repeats) {
    text += " " + list({repeat.count, repeat.in_distance, repeat.out_distance});
  }
  return text;
}

class LayoutsTest : public testing::TestWithParam<Device> {
 protected:
  [[nodiscard]] static Device device() { return GetParam(); }

  /// Compares `out` with the definition on `in`, and sees that nothing else of `out` was written.
  template <class Real>
  static void compare(const Descriptor& d, const TestArray<Real>& in, const TestArray<Real>& before, TestArray<Real>& out) {
    test::RelativeError error;
    TestArray<Real> rest = before;
    const std::size_t each = elements_of(d, false) == Elements::complex ? 2 : 1;
    index_t one = 1;
    for (const index_t length : d.in_lengths()) {
      one *= length;
    }
    for (index_t batch = 0; batch < d.batch; ++batch) {
      const std::vector<index_t> from = test::places_of(d, batch, true);
      const std::vector<index_t> to = test::places_of(d, batch, false);
      std::size_t done = 0;
      for (std::size_t first = 0; first < from.size(); first += static_cast<std::size_t>(one)) {
        std::vector<Wide> values;
        for (std::size_t i = first; i < first + static_cast<std::size_t>(one); ++i) {
          values.push_back(in.at(from[i]));
        }
        for (const Wide expected : test::transform_by_definition(d, values)) {
          const Wide got = out.at(to[done++]);
          error.add(Complex<double>{static_cast<double>(got.re), static_cast<double>(got.im)}, expected);
        }
      }
      for (const index_t place : to) {
        for (std::size_t part = 0; part < 2 && !rest.part(part).empty(); ++part) {
          for (std::size_t i = 0; i < each; ++i) {
            rest.part(part)[static_cast<std::size_t>(place) * each + i] =
                out.part(part)[static_cast<std::size_t>(place) * each + i];
          }
        }
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(d.elements())) << text_of(d);
    EXPECT_TRUE(rest == out) << "gaps of the output were written: " << text_of(d);
  }

  /// The result of a transform in device memory, in an array that held `before`.
  template <class Real>
  static TestArray<Real> on_device(const Plan& plan, TestArray<Real> in, const TestArray<Real>& before) {
    TestArray<Real> out = before;
    std::vector<exec::Buffer<Real>> buffers;
    for (TestArray<Real>* const array : {&in, &out}) {
      for (std::size_t part = 0; part < 2; ++part) {
        buffers.emplace_back(device(), std::span<const Real>(array->part(part)));
      }
    }
    plan.execute(in.array(buffers[0].data(), buffers[1].data()), out.array(buffers[2].data(), buffers[3].data()));
    for (std::size_t part = 0; part < 2; ++part) {
      buffers[2 + part].copy_to(out.part(part));
    }
    return out;
  }

  template <class Real>
  static void check(Descriptor d, unsigned array_seed = layouts_seed) {
    d.precision = sizeof(Real) == sizeof(float) ? Precision::f32 : Precision::f64;
    SCOPED_TRACE(text_of(d));
    TestArray<Real> in(elements_of(d, true), test::array_size(d, true), array_seed);
    const TestArray<Real> in_before = in;
    const TestArray<Real> before(elements_of(d, false), test::array_size(d, false), array_seed + 1);
    TestArray<Real> out = before;
    const Plan plan(d, device());
    plan.execute_host(in.host(), out.host());
    compare(d, in_before, before, out);
    EXPECT_TRUE(in == in_before) << "the input was written";
    EXPECT_TRUE(on_device(plan, in, before) == out) << "device memory and host memory give different results";
  }

  static void check_both(const Descriptor& d) {
    check<float>(d);
    check<double>(d);
  }
};

Descriptor real_forward(std::vector<index_t> lengths) {
  return {.lengths = std::move(lengths), .kind = Kind::real_to_complex};
}
Descriptor real_inverse(std::vector<index_t> lengths) {
  return {.lengths = std::move(lengths), .direction = Direction::inverse, .kind = Kind::complex_to_real};
}

TEST_P(LayoutsTest, RealLinesOfEveryKindOfLength) {
  for (const index_t length : {1, 2, 3, 4, 5, 6, 8, 9, 16, 17, 26, 31, 34, 62, 64, 100, 127, 254, 1000, 1001, 2018, 4095}) {
    Descriptor forward = real_forward({length});
    forward.batch = 3;
    check_both(forward);
    Descriptor inverse = real_inverse({length});
    inverse.batch = 3;
    inverse.scale = 0.25;
    check_both(inverse);
  }
}

TEST_P(LayoutsTest, RealLinesBeyondOnePass) {
  for (const index_t length : {65536, 32288, 45045}) {
    check<float>(real_forward({length}));
    check<double>(real_inverse({length}));
  }
}

TEST_P(LayoutsTest, SeveralAxes) {
  for (const std::vector<index_t>& lengths : {std::vector<index_t>{4, 6},
                                              {1, 7},
                                              {7, 1},
                                              {1, 1},
                                              {16, 16},
                                              {3, 5, 8},
                                              {17, 4, 10},
                                              {2, 3, 4, 5},
                                              {64, 100},
                                              {128, 130}}) {
    Descriptor d{.lengths = lengths, .batch = 2};
    check_both(d);
    d.direction = Direction::inverse;
    check<double>(d);
    Descriptor forward = real_forward(lengths);
    forward.batch = 2;
    check_both(forward);
    Descriptor inverse = real_inverse(lengths);
    inverse.batch = 2;
    check_both(inverse);
  }
}

TEST_P(LayoutsTest, AnAxisBeyondOnePassBetweenOthers) {
  check_both({.lengths = {32768, 3}});
  check<float>({.lengths = {2, 16144, 3}});
  check<float>(real_forward({32768, 4}));
  check<double>(real_inverse({32768, 4}));
}

TEST_P(LayoutsTest, StridesDistancesAndPlanes) {
  // Interleaved channels, as cufftPlanMany has them: neighbours of a line `batch` apart.
  check_both({.lengths = {60}, .batch = 7, .in = {.strides = {7}, .distance = 1}, .out = {.strides = {7}, .distance = 1}});
  check_both({.lengths = {60}, .batch = 7, .in = {.strides = {7}, .distance = 1}});
  check_both({.lengths = {60}, .batch = 7, .out = {.strides = {2}, .distance = 131}});
  check_both({.lengths = {37}, .batch = 5, .in = {.strides = {3}}, .out = {.strides = {5}, .distance = 1}});
  check_both({.lengths = {48}, .batch = 4, .in = {.storage = Storage::planar}, .out = {.storage = Storage::planar}});
  check_both({.lengths = {48}, .batch = 4, .in = {.storage = Storage::planar}});
  check_both({.lengths = {61}, .batch = 4, .out = {.distance = 70, .storage = Storage::planar}});
  check_both({.lengths = {40000}, .batch = 3, .in = {.strides = {3}, .distance = 1}, .out = {.storage = Storage::planar}});
  Descriptor forward = real_forward({50});
  forward.batch = 6;
  forward.in = {.strides = {6}, .distance = 1};
  forward.out.storage = Storage::planar;
  check_both(forward);
  Descriptor inverse = real_inverse({51});
  inverse.batch = 6;
  inverse.in = {.strides = {6}, .distance = 1, .storage = Storage::planar};
  inverse.out = {.strides = {2}, .distance = 102};
  check_both(inverse);
}

TEST_P(LayoutsTest, ChosenAxesOfAnArray) {
  const std::vector<index_t> shape{3, 4, 5, 6};
  for (const std::vector<index_t>& axes :
       {std::vector<index_t>{0}, {1}, {2}, {3}, {-1}, {0, 2}, {1, 3}, {3, 0}, {0, 1, 2, 3}, {2, 1}}) {
    check_both(over_axes(shape, axes));
    check_both(over_axes(shape, axes, {.kind = Kind::real_to_complex}));
    check_both(over_axes(shape, axes, {.direction = Direction::inverse, .kind = Kind::complex_to_real}));
  }
  EXPECT_THROW(over_axes(shape, {4}), Error);
  EXPECT_THROW(over_axes(shape, {-5}), Error);
  EXPECT_THROW(over_axes(shape, {1, -3}), Error);
  EXPECT_THROW(over_axes(shape, {}), Error);
}

TEST_P(LayoutsTest, ManyLoopsThatNoneOfJoin) {
  Descriptor d{.lengths = {2, 3, 2, 4, 2, 3}, .batch = 2};
  d.in.strides = {3000, 900, 400, 90, 40, 12};
  d.out.strides = {4, 9, 40, 90, 500, 1100};
  d.in.distance = 7000;
  d.out.distance = 4000;
  d.repeats = {{2, 1, 2}, {2, 5, 1}};
  check<float>(d);
}

TEST_P(LayoutsTest, RandomProblems) {
  std::mt19937 random(layouts_seed);
  const auto draw = [&random](index_t most) { return static_cast<index_t>(random() % static_cast<std::uint32_t>(most)); };
  for (int round = 0; round < (device().kind() == exec::DeviceKind::x86_64 ? 20 : 150); ++round) {
    std::vector<index_t> shape;
    index_t size = 1;
    for (index_t axes = draw(4) + 1; axes > 0 && size < 3000; --axes) {
      shape.push_back(draw(4) == 0 ? draw(60) + 1 : draw(9) + 1);
      size *= shape.back();
    }
    std::vector<index_t> axes;
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      if (draw(2) == 0) {
        axes.push_back(static_cast<index_t>(axis));
      }
    }
    if (axes.empty()) {
      axes.push_back(-1);
    }
    std::shuffle(axes.begin(), axes.end(), random);
    Descriptor d;
    d.kind = static_cast<Kind>(draw(3));
    d.direction = d.kind == Kind::complex_to_real || (d.kind == Kind::complex_to_complex && draw(2) == 0) ? Direction::inverse
                                                                                                          : Direction::forward;
    d = over_axes(shape, axes, d);
    if (d.kind != Kind::real_to_complex && draw(3) == 0) {
      d.in.storage = Storage::planar;
    }
    if (d.kind != Kind::complex_to_real && draw(3) == 0) {
      d.out.storage = Storage::planar;
    }
    // Spread one side by a factor.
    const index_t factor = draw(3) + 1;
    Layout& layout = draw(2) == 0 ? d.in : d.out;
    for (index_t& stride : layout.strides) {
      stride *= factor;
    }
    layout.distance *= factor;
    for (Repeat& repeat : d.repeats) {
      (&layout == &d.in ? repeat.in_distance : repeat.out_distance) *= factor;
    }
    check<float>(d, layouts_seed + static_cast<unsigned>(round));
    check<double>(d, layouts_seed + static_cast<unsigned>(round));
  }
}

TEST_P(LayoutsTest, RealLinesInPlace) {
  for (const std::vector<index_t>& lengths :
       {std::vector<index_t>{30}, {31}, {105}, {2187}, {6, 10}, {5, 9}, {4, 3, 26}, {65536}}) {
    // Rows padded to 2 (n/2 + 1) real numbers.
    const index_t halved = lengths.back() / 2 + 1;
    const auto padded = [&lengths](index_t row) {
      std::vector<index_t> strides(lengths.size(), 1);
      index_t distance = row;
      for (std::size_t axis = lengths.size() - 1; axis-- > 0;) {
        strides[axis] = distance;
        distance *= lengths[axis];
      }
      return Layout{.strides = strides, .distance = distance};
    };
    Descriptor forward = real_forward(lengths);
    forward.batch = 3;
    forward.in = padded(2 * halved);
    forward.out = padded(halved);
    Descriptor inverse = real_inverse(lengths);
    inverse.batch = 3;
    inverse.in = forward.out;
    inverse.out = forward.in;
    for (const Descriptor& d : {forward, inverse}) {
      TestArray<float> apart(elements_of(d, true), test::array_size(forward, false) * (d.kind == forward.kind ? 2 : 1),
                             layouts_seed);
      TestArray<float> out(elements_of(d, false), test::array_size(forward, false) * (d.kind == forward.kind ? 1 : 2),
                           layouts_seed);
      const Plan plan(d, device());
      plan.execute_host(apart.host(), out.host());
      std::vector<float> memory = apart.part(0);
      plan.execute_host(apart.array(memory.data(), nullptr), out.array(memory.data(), nullptr));
      for (index_t batch = 0; batch < d.batch; ++batch) {
        for (const index_t place : test::places_of(d, batch, false)) {
          const auto width = std::size_t{d.kind == Kind::real_to_complex ? 2U : 1U};
          for (std::size_t i = 0; i < width; ++i) {
            const std::size_t at = static_cast<std::size_t>(place) * width + i;
            ASSERT_EQ(memory[at], out.part(0)[at]) << text_of(d) << " at " << at;
          }
        }
      }
    }
  }
}

TEST_P(LayoutsTest, WhatCannotBeDoneInPlaceIsAnError) {
  std::vector<Complex<float>> values(200);
  const Plan spread({.lengths = {8}, .batch = 2, .out = {.strides = {2}}}, device());
  EXPECT_THROW(spread.execute_host(values.data(), values.data()), Error);
  const Plan dense(real_forward({8, 8}), device());
  EXPECT_THROW(dense.execute_host(reinterpret_cast<float*>(values.data()), values.data()), Error);
}

TEST_P(LayoutsTest, AnArrayOfAnotherFormIsAnError) {
  std::vector<Complex<float>> values(20);
  auto* const reals = reinterpret_cast<float*>(values.data());
  const Plan plan({.lengths = {8}}, device());
  EXPECT_THROW(plan.execute_host(reals, values.data() + 10), Error);
  EXPECT_THROW(plan.execute_host(values.data(), {reals + 20, reals + 30}), Error);
  const Plan forward(real_forward({8}), device());
  EXPECT_THROW(forward.execute_host(values.data(), values.data() + 10), Error);
}

INSTANTIATE_TEST_SUITE_P(Devices, LayoutsTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
