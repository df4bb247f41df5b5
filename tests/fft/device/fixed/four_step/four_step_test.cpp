#include "fft/device/fixed/four_step/four_step.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>
#include <vector>

#include "fft/device/fixed/four_step/four_step_convolution.hpp"
#include "fft/math/roots.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/fixed_tables.hpp"
#include "support/four_step_tables.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

constexpr unsigned seed = 13;

/// Every tile has one ticket, and those that it waits for have lower ones.
template <int... Tiles>
void expect_tickets(int batch, int lag, int slots) {
  using Schedule = PhaseSchedule<Tiles...>;
  const Schedule schedule{nullptr, batch, lag, slots};
  std::set<std::tuple<int, int, int>> seen;
  const auto count_seen = [&](int phase, int transform) {
    int count = 0;
    for (int tile = 0; tile < Schedule::tiles[phase]; ++tile) {
      count += static_cast<int>(seen.count({phase, transform, tile}));
    }
    return count;
  };
  for (int ticket = 0; ticket < batch * Schedule::tiles_of_all; ++ticket) {
    const PhaseTile item = schedule.at(static_cast<std::uint32_t>(ticket));
    ASSERT_TRUE(item.transform >= 0 && item.transform < batch && item.tile >= 0 && item.tile < Schedule::tiles[item.phase]);
    EXPECT_EQ(item.slot, item.transform % slots);
    const int before = item.phase > 0 ? item.phase - 1 : Schedule::phases - 1;
    const int awaited = item.phase > 0 ? item.transform : item.transform - slots;
    if (awaited >= 0) {
      EXPECT_EQ(count_seen(before, awaited), Schedule::tiles[before]) << "ticket " << ticket;
    }
    EXPECT_TRUE(seen.insert({item.phase, item.transform, item.tile}).second);
  }
}

TEST(PhaseSchedule, DrawsEveryTileAfterWhatItWaitsFor) {
  expect_tickets<3, 2>(7, 2, 3);
  expect_tickets<1, 4>(5, 1, 2);
  expect_tickets<2, 2>(1, 1, 1);
  expect_tickets<2, 2>(3, 0, 1);
  expect_tickets<3, 1, 2>(9, 3, 7);
  expect_tickets<2, 5, 3>(4, 2, 5);
}

class FixedFourStep : public testing::TestWithParam<exec::Device> {
 protected:
  template <class Real, class First, class Second>
  void check(int batch, int lag, int slots, bool is_inverse, int host_team_size) {
    using Kernel = FixedFourStepKernel<Real, First, Second>;
    constexpr index_t n = Kernel::length;
    const exec::Device device = GetParam();
    const test::FourStepTwiddles<Real, First, Second> tables;
    const auto first = test::kept(device, test::fixed_twiddles<Real, First>());
    const auto second = test::kept(device, test::fixed_twiddles<Real, Second>());
    const auto four_step_twiddles = test::kept(device, tables.four_step_twiddles);
    const auto steps = test::kept(device, tables.steps);
    exec::Buffer<Complex<Real>> ring(device, n * slots);
    exec::Buffer<std::uint32_t> words =
        test::kept(device, std::vector<std::uint32_t>(static_cast<std::size_t>(schedule_words(2, slots))));
    const auto signal = test::random_signal<Real>(n * batch, seed);
    exec::Buffer<Complex<Real>> values = test::kept(device, signal);
    const Kernel kernel{values.data(),
                        values.data(),
                        ring.data(),
                        first.data(),
                        second.data(),
                        four_step_twiddles.data(),
                        steps.data(),
                        n,
                        n,
                        {words.data(), batch, lag, slots},
                        Real{0.5},
                        is_inverse,
                        nullptr};
    // In place, and twice: the second launch finds the words as the first one did.
    std::vector<Complex<Real>> result(signal.size());
    for (int launch = 0; launch < 2; ++launch) {
      values.copy_from(signal);
      test::launch_in_team(device, {.groups = index_t{batch} * Kernel::Schedule::tiles_of_all}, host_team_size, kernel);
      values.copy_to(result);
      test::RelativeError error;
      for (index_t transform = 0; transform < batch; ++transform) {
        const auto expected =
            test::dft(test::widened(signal, transform * n, n), is_inverse ? Direction::inverse : Direction::forward);
        for (index_t k = 0; k < n; ++k) {
          error.add(scaled(result[static_cast<std::size_t>(transform * n + k)], Real{2}), expected[static_cast<std::size_t>(k)]);
        }
      }
      EXPECT_LE(error.value(), test::tolerance<Real>(n)) << "host team " << host_team_size << ", seed " << seed;
    }
    std::vector<std::uint32_t> left(words.size());
    words.copy_to(left);
    EXPECT_TRUE(std::all_of(left.begin(), left.end(), [](std::uint32_t word) { return word == 0; }));
  }
};

/// The last two passes over lines of so many rows, whose transforms go where the passes put them.
template <class Real, class First, class Second>
void check_last_passes(exec::Device device, index_t rows, int lines, int lag, int slots, bool is_inverse, int host_team_size) {
  using Kernel = FixedFourStepKernel<Real, First, Second, PassForm::fused_last_passes>;
  constexpr index_t n = Kernel::length;
  const test::FourStepTwiddles<Real, First, Second> tables;
  const auto first = test::kept(device, test::fixed_twiddles<Real, First>());
  const auto second = test::kept(device, test::fixed_twiddles<Real, Second>());
  const auto four_step_twiddles = test::kept(device, tables.four_step_twiddles);
  const auto steps = test::kept(device, tables.steps);
  exec::Buffer<Complex<Real>> ring(device, Kernel::slot_length * slots);
  auto words = test::kept(device, std::vector<std::uint32_t>(static_cast<std::size_t>(schedule_words(2, slots))));
  const auto signal = test::random_signal<Real>(n * rows * lines, seed);
  const auto in = test::kept(device, signal);
  exec::Buffer<Complex<Real>> out(device, in.size());
  const int groups = lines * static_cast<int>(ceil_div(rows, Second::width));
  const Kernel kernel{in.data(),     out.data(),
                      ring.data(),   first.data(),
                      second.data(), four_step_twiddles.data(),
                      steps.data(),  n * rows,
                      n * rows,      {words.data(), groups, lag, slots},
                      Real{0.5},     is_inverse,
                      nullptr,       static_cast<int>(rows)};
  test::launch_in_team(device, {.groups = index_t{groups} * Kernel::Schedule::tiles_of_all}, host_team_size, kernel);
  std::vector<Complex<Real>> result(signal.size());
  out.copy_to(result);
  test::RelativeError error;
  for (index_t line = 0; line < lines; ++line) {
    for (index_t row = 0; row < rows; ++row) {
      const auto expected = test::dft(test::widened(signal, (line * rows + row) * n, n), Direction::forward);
      for (index_t k = 0; k < n; ++k) {
        const Complex<Real> got = scaled(result[static_cast<std::size_t>((line * n + k) * rows + row)], Real{2});
        error.add(is_inverse ? swapped(got) : got, expected[static_cast<std::size_t>(k)]);
      }
    }
  }
  EXPECT_LE(error.value(), test::tolerance<Real>(n)) << rows << " rows, host team " << host_team_size << ", seed " << seed;
}

TEST_P(FixedFourStep, LastPasses) {
  for (const int host_team_size : {1, 3, 16}) {
    check_last_passes<float, FixedShape<4, 4, 0, 4, 4>, FixedShape<2, 8, 0, 4, 2>>(GetParam(), 16, 3, 1, 3, false,
                                                                                   host_team_size);
    check_last_passes<double, FixedShape<5, 3, 0, 5, 5>, FixedShape<3, 5, 0, 3, 2, 3>>(GetParam(), 13, 2, 2, 4, true,
                                                                                       host_team_size);
    check_last_passes<double, FixedShape<5, 3, 0, 5, 5>, FixedShape<3, 5, 0, 3, 2, 3>>(GetParam(), 3, 1, 1, 1, false,
                                                                                       host_team_size);
    if (!GetParam().is_host()) {
      break;
    }
  }
}

/// Bluestein's transform of n elements by a fused four-step convolution, against the definition.
template <class Real, class First, class Second>
void check_convolution(exec::Device device, index_t n, int batch, int lag, int slots, bool is_inverse, int host_team_size) {
  using Kernel = FixedFourStepConvolutionKernel<Real, First, Second>;
  constexpr index_t padded = Kernel::length;
  constexpr index_t rows = First::length;
  constexpr index_t columns = Second::length;
  const RootsOfUnity root(2 * n);
  std::vector<test::Wide> filter(static_cast<std::size_t>(padded), test::Wide{0, 0});
  std::vector<Complex<Real>> chirp_values;
  for (index_t j = 0; j < n; ++j) {
    const Complex<double> value = root(j * j % (2 * n));
    chirp_values.push_back({static_cast<Real>(value.re), static_cast<Real>(value.im)});
    const test::Wide scaled{value.re / padded, -value.im / padded};
    filter[static_cast<std::size_t>(j)] = scaled;
    filter[static_cast<std::size_t>((padded - j) % padded)] = scaled;
  }
  const std::vector<test::Wide> spectrum = test::dft(filter, Direction::forward);
  std::vector<Complex<Real>> ordered;
  for (index_t row = 0; row < rows; ++row) {
    std::vector<test::Wide> part;
    for (index_t k = 0; k < columns; ++k) {
      part.push_back(spectrum[static_cast<std::size_t>(row + k * rows)]);
    }
    const auto part_ordered = test::rounded<Real>(part);
    ordered.insert(ordered.end(), part_ordered.begin(), part_ordered.end());
  }
  const test::FourStepTwiddles<Real, First, Second> tables;
  const auto first = test::kept(device, test::fixed_twiddles<Real, First>());
  const auto second = test::kept(device, test::fixed_twiddles<Real, Second>());
  const auto four_step_twiddles = test::kept(device, tables.four_step_twiddles);
  const auto steps = test::kept(device, tables.steps);
  const auto chirp = test::kept(device, chirp_values);
  const auto filter_there = test::kept(device, ordered);
  exec::Buffer<Complex<Real>> ring(device, padded * slots);
  auto words = test::kept(device, std::vector<std::uint32_t>(static_cast<std::size_t>(schedule_words(3, slots))));
  const auto signal = test::random_signal<Real>(n * batch, seed);
  const auto in = test::kept(device, signal);
  exec::Buffer<Complex<Real>> out(device, in.size());
  const Kernel kernel{in.data(),
                      out.data(),
                      ring.data(),
                      first.data(),
                      second.data(),
                      four_step_twiddles.data(),
                      steps.data(),
                      chirp.data(),
                      filter_there.data(),
                      n,
                      n,
                      {words.data(), batch, lag, slots},
                      static_cast<int>(n),
                      Real{0.5},
                      is_inverse};
  test::launch_in_team(device, {.groups = index_t{batch} * Kernel::Schedule::tiles_of_all}, host_team_size, kernel);
  std::vector<Complex<Real>> result(signal.size());
  out.copy_to(result);
  test::RelativeError error;
  for (index_t transform = 0; transform < batch; ++transform) {
    const auto expected =
        test::dft(test::widened(signal, transform * n, n), is_inverse ? Direction::inverse : Direction::forward);
    for (index_t k = 0; k < n; ++k) {
      error.add(scaled(result[static_cast<std::size_t>(transform * n + k)], Real{2}), expected[static_cast<std::size_t>(k)]);
    }
  }
  EXPECT_LE(error.value(), 2 * test::tolerance<Real>(n))
      << "length " << n << ", host team " << host_team_size << ", seed " << seed;
}

TEST_P(FixedFourStep, Convolution) {
  for (const int host_team_size : {1, 3, 12}) {
    check_convolution<float, FixedShape<4, 3, 0, 4, 4>, FixedShape<6, 2, 0, 6, 3>>(GetParam(), 101, 5, 1, 4, false,
                                                                                   host_team_size);
    check_convolution<double, FixedShape<4, 3, 0, 3, 2, 3>, FixedShape<6, 2, 0, 5, 2, 2>>(GetParam(), 180, 4, 2, 5, true,
                                                                                          host_team_size);
    check_convolution<double, FixedShape<4, 3, 0, 4, 4>, FixedShape<6, 2, 0, 6, 3>>(GetParam(), 7, 1, 0, 1, true, host_team_size);
    if (!GetParam().is_host()) {
      break;
    }
  }
}

TEST_P(FixedFourStep, TransformsInPlace) {
  for (const int host_team_size : {1, 3, 16}) {
    check<float, FixedShape<4, 4, 0, 4, 4>, FixedShape<2, 8, 0, 4, 2>>(5, 1, 2, false, host_team_size);
    check<double, FixedShape<5, 3, 0, 5, 5>, FixedShape<3, 5, 0, 3, 2, 3>>(7, 2, 4, true, host_team_size);
    check<double, FixedShape<5, 3, 0, 18, 5>, FixedShape<3, 5, 0, 6, 3>>(1, 1, 1, false, host_team_size);
    if (!GetParam().is_host()) {
      break;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, FixedFourStep, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
