#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "fft/device/fixed/four_step/four_step.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/fixed_tables.hpp"
#include "support/four_step_tables.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

constexpr unsigned seed = 14;
constexpr int gap = 3;  // pairs that lie between lines and belong to none

/// The elements of two butterflies, `step` apart from `low` and `high` on, are opposite each other among m.
template <int Radix>
void expect_opposite(int low, int high, int step, int m, bool is_end) {
  for (int r = 0; r < Radix; ++r) {
    if (is_end) {
      EXPECT_EQ((low + r * step + (Radix - r) % Radix * step) % m, 0);
      EXPECT_EQ(high + r * step + high + (Radix - 1 - r) * step, m);
    } else {
      EXPECT_EQ(low + r * step + high + (Radix - 1 - r) * step, m);
    }
  }
}

/// Every element of every line of a tile belongs to one butterfly of one pair, and the pairs' elements are opposite.
template <int Width, int Count, int Radix, int Stride>
void expect_conjugate_pairs() {
  using Lines = ConjugateLines<Width, Count>;
  constexpr int m = Count * Radix * Stride;
  constexpr int step = Count * Stride;
  std::set<int> seen;
  for (int tile = 0; tile < Count / Width; ++tile) {
    const Lines lines = Lines::of_tile(tile);
    for (int index = 0; index < Lines::template pairs<Stride>; ++index) {
      const ConjugateButterflies at = lines.template butterflies<Stride>(index);
      const int low = lines(at.low_line) + Count * at.low;
      const int high = lines(at.high_line) + Count * at.high;
      EXPECT_EQ(at.is_end, low == 0);
      expect_opposite<Radix>(low, high, step, m, at.is_end);
      for (int r = 0; r < Radix; ++r) {
        EXPECT_TRUE(seen.insert(low + r * step).second && seen.insert(high + r * step).second);
      }
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(m));
}

/// The same of lines that are whole transforms.
template <int Width, int Radix, int Stride>
void expect_pairs_within_lines() {
  using Lines = WholeLines<Width>;
  std::set<std::pair<int, int>> seen;
  for (int index = 0; index < Lines::template pairs<Stride>; ++index) {
    const ConjugateButterflies at = Lines::template butterflies<Stride>(index);
    EXPECT_EQ(at.low_line, at.high_line);
    EXPECT_EQ(at.is_end, at.low == 0);
    expect_opposite<Radix>(at.low, at.high, Stride, Radix * Stride, at.is_end);
    for (int r = 0; r < Radix; ++r) {
      EXPECT_TRUE(seen.insert({at.low_line, at.low + r * Stride}).second);
      EXPECT_TRUE(seen.insert({at.high_line, at.high + r * Stride}).second);
    }
  }
  EXPECT_EQ(seen.size(), static_cast<std::size_t>(Width * Radix * Stride));
}

TEST(ConjugateLines, HoldEveryElementOnceAndTheOppositeOne) {
  expect_conjugate_pairs<2, 2, 2, 1>();
  expect_conjugate_pairs<2, 6, 3, 1>();
  expect_conjugate_pairs<4, 8, 3, 2>();
  expect_conjugate_pairs<4, 12, 4, 3>();
  expect_conjugate_pairs<6, 30, 5, 5>();
  expect_conjugate_pairs<8, 16, 2, 8>();
}

TEST(WholeLines, HoldEveryElementOnceAndTheOppositeOne) {
  expect_pairs_within_lines<1, 2, 2>();
  expect_pairs_within_lines<3, 5, 4>();
  expect_pairs_within_lines<2, 8, 6>();
}

/// The fused four-step kernels of real numbers on every device: the library runs them on GPUs only.
template <class Real, class First, class Second, PassForm Form>
class RealFourStep {
 public:
  using Value = Complex<Real>;
  using Kernel = FixedFourStepKernel<Real, First, Second, Form>;
  static constexpr index_t m = Kernel::length;
  static constexpr index_t n = 2 * m;
  static constexpr bool from_real = Form == PassForm::fused_four_step_from_real;
  static constexpr int batch = 5;

  RealFourStep(exec::Device device, int host_team_size)
      : device_(device),
        host_team_size_(host_team_size),
        first_(test::kept(device, test::fixed_twiddles<Real, First>())),
        second_(test::kept(device, test::fixed_twiddles<Real, Second>())),
        four_step_twiddles_(test::kept(device, tables_.four_step_twiddles)),
        steps_(test::kept(device, tables_.steps)),
        ring_(device, slots * m),
        words_(test::kept(device, std::vector<std::uint32_t>(schedule_words(2, slots)))) {
    constexpr int radix = from_real ? Second::radix[Second::stages - 1] : First::radix[0];
    const RootsOfUnity root(n);
    std::vector<Value> roots;
    for (index_t k = 0; k < m / radix; ++k) {
      roots.push_back(test::rounded<Real>(root(k)));
    }
    roots_ = test::kept(device, roots);
    const auto noise = test::random_signal<Real>(n * batch, seed);
    for (index_t line = 0; line < batch; ++line) {
      std::vector<test::Wide> values;
      for (index_t j = 0; j < n; ++j) {
        values.push_back({noise[static_cast<std::size_t>(line * n + j)].re, 0});
      }
      lines_.push_back(values);
      spectra_.push_back(test::dft(values, Direction::forward));
    }
  }

  /// Real lines `distance` pairs apart, `shift` real numbers from a place that whole pairs can be read from, beside their spectra
  /// or, with lines as far apart, in the same memory.
  void check(index_t distance, index_t shift, bool in_place) {
    const index_t spectrum_distance = in_place ? distance : m + 1 + gap;
    const auto reals_size = static_cast<std::size_t>(2 * distance * batch + shift);
    const auto spectra_size = static_cast<std::size_t>(2 * spectrum_distance * batch);
    std::vector<Real> reals(reals_size, stray);
    std::vector<Real> spectra(spectra_size, stray);
    for (index_t line = 0; line < batch; ++line) {
      const auto l = static_cast<std::size_t>(line);
      for (index_t j = 0; j < n; ++j) {
        reals[real_at(line, distance, shift, j)] = static_cast<Real>(lines_[l][static_cast<std::size_t>(j)].re);
      }
      for (index_t k = 0; k <= m; ++k) {
        const test::Wide value = spectra_[l][static_cast<std::size_t>(k)];
        const std::size_t at = static_cast<std::size_t>(2 * (line * spectrum_distance + k));
        // The imaginary parts of the ends, which belong to no real line, are left out of account.
        spectra[at] = static_cast<Real>(value.re);
        spectra[at + 1] = k == 0 || k == m ? stray : static_cast<Real>(value.im);
      }
    }
    const std::vector<Real>& given = from_real ? reals : spectra;
    std::vector<Real> result(in_place ? given.size() : from_real ? spectra_size : reals_size, stray);
    if (in_place) {
      result = given;
    }
    exec::Buffer<Real> in = test::kept(device_, given);
    exec::Buffer<Real> out = test::kept(device_, result);
    exec::Buffer<Real>& written = in_place ? in : out;
    launch(in.data() + (from_real ? shift : 0), written.data() + (from_real ? 0 : shift),
           from_real ? distance : spectrum_distance, from_real ? spectrum_distance : distance);
    written.copy_to(result);
    SCOPED_TRACE(testing::Message() << "distance " << distance << ", shift " << shift << ", host team " << host_team_size_);
    from_real ? expect_spectra(result, spectrum_distance, in_place) : expect_reals(result, distance, shift, in_place);
    std::vector<std::uint32_t> left(static_cast<std::size_t>(words_.size()));
    words_.copy_to(left);
    EXPECT_TRUE(std::all_of(left.begin(), left.end(), [](std::uint32_t word) { return word == 0; }));
  }

 private:
  static constexpr Real stray = 7;
  static constexpr int slots = 3;

  static std::size_t real_at(index_t line, index_t distance, index_t shift, index_t j) {
    return static_cast<std::size_t>(2 * line * distance + shift + j);
  }

  void launch(const Real* in, Real* out, index_t from_step, index_t to_step) {
    const Kernel kernel{reinterpret_cast<const Value*>(in),
                        reinterpret_cast<Value*>(out),
                        ring_.data(),
                        first_.data(),
                        second_.data(),
                        four_step_twiddles_.data(),
                        steps_.data(),
                        from_step,
                        to_step,
                        {words_.data(), batch, 1, slots},
                        from_real ? Real{2} : Real{1} / static_cast<Real>(n),
                        !from_real,
                        roots_.data()};
    test::launch_in_team(device_, {.groups = index_t{batch} * Kernel::Schedule::tiles_of_all}, host_team_size_, kernel);
  }

  void expect_spectra(const std::vector<Real>& result, index_t distance, bool in_place) const {
    test::RelativeError error;
    for (index_t line = 0; line < batch; ++line) {
      for (index_t k = 0; k < distance; ++k) {
        const auto at = static_cast<std::size_t>(2 * (line * distance + k));
        if (k <= m) {
          error.add(Value{result[at] / 2, result[at + 1] / 2},
                    spectra_[static_cast<std::size_t>(line)][static_cast<std::size_t>(k)]);
        } else if (!in_place) {
          EXPECT_TRUE(result[at] == stray && result[at + 1] == stray) << "a gap was written";
        }
      }
    }
    EXPECT_LE(error.value(), test::tolerance<Real>(n));
  }

  void expect_reals(const std::vector<Real>& result, index_t distance, index_t shift, bool in_place) const {
    test::RelativeError error;
    for (index_t line = 0; line < batch; ++line) {
      for (index_t j = 0; j < 2 * distance; ++j) {
        const Real got = result[real_at(line, distance, shift, j)];
        if (j < n) {
          error.add(Value{got, 0}, lines_[static_cast<std::size_t>(line)][static_cast<std::size_t>(j)]);
        } else if (!in_place) {
          EXPECT_EQ(got, stray) << "a gap was written";
        }
      }
    }
    // What goes in is rounded as well.
    EXPECT_LE(error.value(), 1.5 * test::tolerance<Real>(n));
  }

  exec::Device device_;
  int host_team_size_;
  test::FourStepTwiddles<Real, First, Second> tables_;
  exec::Buffer<Value> first_;
  exec::Buffer<Value> second_;
  exec::Buffer<Value> four_step_twiddles_;
  exec::Buffer<Value> steps_;
  exec::Buffer<Value> ring_;
  exec::Buffer<std::uint32_t> words_;
  exec::Buffer<Value> roots_;
  std::vector<std::vector<test::Wide>> lines_;
  std::vector<std::vector<test::Wide>> spectra_;
};

class FixedRealFourStep : public testing::TestWithParam<exec::Device> {
 protected:
  template <class Real, class First, class Second, PassForm Form>
  void check() {
    for (const int host_team_size : {1, 3, First::threads * First::width}) {
      RealFourStep<Real, First, Second, Form> four_step(GetParam(), host_team_size);
      constexpr index_t m = index_t{First::length} * Second::length;
      four_step.check(m, 0, false);
      four_step.check(m + gap, 0, false);
      four_step.check(m + gap, 1, false);
      four_step.check(m + 1, 0, true);
      if (!GetParam().is_host()) {
        break;
      }
    }
  }
};

// The radix and the butterflies of a line in the stage of conjugate pairs are both even, both odd or one of each.

TEST_P(FixedRealFourStep, FromRealNumbers) {
  constexpr auto form = PassForm::fused_four_step_from_real;
  check<float, FixedShape<4, 4, 0, 4, 4>, FixedShape<2, 8, 0, 4, 2>, form>();
  check<double, FixedShape<5, 6, 0, 5, 6>, FixedShape<5, 6, 0, 3, 5>, form>();
  check<double, FixedShape<6, 4, 0, 4, 6>, FixedShape<3, 8, 0, 5, 4>, form>();
  check<float, FixedShape<3, 4, 0, 4, 5>, FixedShape<6, 2, 0, 3, 2, 3>, form>();
}

TEST_P(FixedRealFourStep, ToRealNumbers) {
  constexpr auto form = PassForm::fused_four_step_to_real;
  check<double, FixedShape<4, 4, 0, 4, 4>, FixedShape<2, 8, 0, 4, 2>, form>();
  check<float, FixedShape<5, 6, 0, 5, 3>, FixedShape<6, 5, 0, 4, 3>, form>();
  check<float, FixedShape<3, 4, 0, 4, 5>, FixedShape<4, 3, 0, 4, 3>, form>();
  check<double, FixedShape<6, 2, 0, 3, 2, 3>, FixedShape<4, 3, 0, 3, 6>, form>();
}

INSTANTIATE_TEST_SUITE_P(Devices, FixedRealFourStep, testing::ValuesIn(test::devices()), test::DeviceName());

}  // namespace
}  // namespace phpc::fft
