#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fft/chirp.hpp"
#include "fft/device/general/classes.hpp"
#include "fft/device/general/kernel.hpp"
#include "fft/device/general/limits.hpp"
#include "fft/device/general/rule.hpp"
#include "fft/device/general/tables.hpp"
#include "fft/device/pass_launch.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/host/filter.hpp"
#include "fft/rader.hpp"
#include "fft/wide_transform.hpp"
#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned tile_seed = 6;

/// A pass of a longer transform: columns, or the last one, which reads rows and writes columns; with twiddles or without.
struct TiledPass {
  index_t length;
  index_t inner;
  bool is_last;
  bool turns;
  bool swaps;
  bool has_hooks = false;  ///< and planar numbers
  HalfSpectrum half = HalfSpectrum::none;
  bool is_convolution = false;
};

template <class Real>
Pass<Real> made_pass(PassTables<Real>& tables, const TiledPass& wanted, index_t outer) {
  Pass<Real> pass;
  const index_t n = wanted.length * wanted.inner;
  tables.set_transform(pass, PassForm::columns, wanted.length);
  if (wanted.turns) {
    tables.set_four_step(pass, n);
  }
  pass.from_step = wanted.is_last ? 1 : wanted.inner;
  pass.to_step = wanted.inner;
  pass.load.swap = wanted.swaps;
  pass.store.swap_last = wanted.swaps;
  pass.store.scale = Real{0.5};
  pass.width = static_cast<int>(std::min<index_t>(wanted.inner, 4));
  pass.add_loop({.count = outer, .from = n, .to = n});
  pass.add_loop({.count = wanted.inner, .from = wanted.is_last ? wanted.length : 1, .to = 1, .turn = wanted.turns ? 1 : 0});
  return pass;
}

/// All hooks but untangling, in the order of memory; those of a convolution around the pass where has_factors.
template <class Real>
void add_hooks(PassTables<Real>& tables, Pass<Real>& pass, index_t n, HalfSpectrum half, bool has_factors) {
  std::vector<Complex<double>> factors;
  for (const Complex<Real>& value : test::random_signal<Real>(n, tile_seed + 1)) {
    factors.push_back({value.re, value.im});
  }
  pass.from_position = pass.from_step;
  pass.to_position = pass.to_step;
  pass.loops[1].from_position = pass.loops[1].from;
  pass.loops[1].to_position = pass.loops[1].to;
  pass.load.half = half;
  pass.load.half_length = n;
  pass.load.stride = 1;
  pass.load.roots = half == HalfSpectrum::even ? tables.keep_roots(2 * n, n) : nullptr;
  pass.store.count = n - n / 5;
  if (!has_factors) {
    return;
  }
  pass.load.count = n - n / 4;
  pass.load.factors = tables.keep(factors);
  if (pass.fine == nullptr) {
    pass.store.swap_first = true;
    std::reverse(factors.begin(), factors.end());
    pass.store.factors = tables.keep(factors);
  }
}

/// The general kernel for GPUs against the one of other devices: tiles without hooks on interleaved numbers, or with all of them
/// on planar ones.
template <class Real>
void check_tiles(Device device, const TiledPass& wanted, int team_size) {
  const bool has_hooks = wanted.has_hooks;
  constexpr std::size_t scratch = 200000;
  const index_t outer = 2;
  const index_t n = wanted.length * wanted.inner;
  PassTables<Real> tables(device);
  Pass<Real> pass = made_pass(tables, wanted, outer);
  if (has_hooks) {
    add_hooks(tables, pass, n, wanted.half, !wanted.is_convolution);
  }
  const ColumnPlaces places{wanted.inner, wanted.inner};
  const auto [padded, columns] = convolution_shape<Real>(wanted.length, places, scratch);
  GeneralShape shape = wanted.is_convolution ? columns.shape : column_shape<Real>(wanted.length, places, scratch).shape;
  shape.has_elements = has_hooks;
  ASSERT_GT(shape.team_size, 0);
  const PassLoop& loop = pass.loops[1];
  const GeneralTables made =
      general_tables(wanted.is_convolution ? padded : wanted.length, shape,
                     {loop.from, loop.to, pass.from_step, pass.to_step, loop, pass.from_position, pass.to_position},
                     sizeof(Complex<Real>), scratch / sizeof(Complex<Real>));
  const exec::Buffer<GeneralItem> items(device, std::span<const GeneralItem>(made.items));
  const exec::Buffer<GeneralElement> numbers(device, std::span<const GeneralElement>(made.numbers));
  const exec::Buffer<std::uint16_t> zeros(device, std::span<const std::uint16_t>(made.places));
  GeneralWork<Real> work = general_work<Real>(wanted.length, shape, made);
  work.twiddles = tables.keep(made.twiddles);
  work.items = items.data();
  work.places = zeros.data();

  const exec::Buffer<Pass<Real>> on_device(device, std::span<const Pass<Real>>(&pass, 1));
  const PassWindow window{0, 0, outer, outer};
  const auto signal = test::random_signal<Real>(outer * n + 1, tile_seed);  // of the last line, element n too
  const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
  exec::Buffer<Complex<Real>> expected(device, std::span<const Complex<Real>>(signal));
  exec::Buffer<Complex<Real>> out(device, std::span<const Complex<Real>>(signal));
  const index_t second = has_hooks ? outer * n + 1 : 1;
  const std::uint32_t pitch = has_hooks ? 1 : 2;
  const auto parts = [&](auto& buffer) {
    auto* const first = reinterpret_cast<Real*>(const_cast<Complex<Real>*>(buffer.data()));
    return Parts<Real>{first, first + second, pitch};
  };
  const Parts<Real> from = parts(in);
  const Parts<Real> to = parts(out);
  launch_pass(device, pass, on_device.data(), window, Parts<const Real>{from.first, from.second, pitch}, parts(expected));
  Pass<Real> tiled = pass;
  tiled.width = shape.width;
  const exec::LaunchShape launched{
      .groups = pass_groups(tiled, window),
      .scratch_bytes =
          static_cast<std::size_t>(work.pitch) * static_cast<std::size_t>(work.width) * sizeof(Complex<Real>) + place_bytes,
      .team_size = team_size};
  constexpr int largest = std::rbegin(GeneralClasses<Real>::all)->largest;
  const HookedTiles<Real> hooked{{from.first, from.second, pitch, 0},
                                 {to.first, to.second, pitch, 0},
                                 on_device.data(),
                                 numbers.data(),
                                 window,
                                 made.elements};
  if (wanted.is_convolution) {
    const std::vector<Complex<double>> chirp_values = chirp(wanted.length);
    ConvolutionTables<Real> convolution{.spectrum = tables.keep(filter_spectrum<Real>(chirp_values, padded))};
    if (shape.is_rader) {
      convolution.is_rader = true;
      convolution.spectrum = tables.keep(wide_transform(rader_filter(primitive_powers(wanted.length))));
    } else {
      std::vector<Complex<double>> by_items;
      by_items.reserve(made.numbers.size());
      for (const GeneralElement& element : made.numbers) {
        by_items.push_back(chirp_values[element.number & 0xffff]);
      }
      convolution.chirp = tables.keep(by_items);
    }
    std::copy(made.back.begin(), made.back.end(), std::begin(convolution.back));
    const ConvolvedTiles<Real> tiles{hooked, convolution};
    test::launch_in_team(device, launched, team_size, GeneralKernel<Real, largest, ConvolvedTiles<Real>>{tiles, work});
  } else if (has_hooks) {
    test::launch_in_team(device, launched, team_size, GeneralKernel<Real, largest, HookedTiles<Real>>{hooked, work});
  } else {
    test::launch_in_team(device, launched, team_size,
                         GeneralKernel<Real, largest, PassTiles<Real>>{
                             {in.data(), out.data(), on_device.data(), tile_loops(pass, window, shape.width)}, work});
  }
  std::vector<Complex<Real>> result(signal.size());
  std::vector<Complex<Real>> other(signal.size());
  out.copy_to(result);
  expected.copy_to(other);
  test::RelativeError error;
  for (std::size_t i = 0; i < result.size(); ++i) {
    error.add(result[i], {other[i].re, other[i].im});
  }
  // Each side is within the tolerance, a convolution within twice that (as large primes are elsewhere).
  EXPECT_LE(error.value(), (wanted.is_convolution ? 3 : 2) * test::tolerance<Real>(wanted.length))
      << wanted.length << " x " << wanted.inner << (wanted.is_last ? ", last" : "") << (wanted.turns ? ", turns" : "")
      << (has_hooks ? ", hooks" : "") << (wanted.is_convolution ? ", a convolution" : "")
      << (wanted.half == HalfSpectrum::none ? "" : ", half a spectrum");
}

class GeneralTilesTest : public testing::TestWithParam<Device> {};

TEST_P(GeneralTilesTest, TilesOfPasses) {
  if (GetParam().is_gpu() || GetParam().is_host()) {
    GTEST_SKIP() << "GPUs have the kernel in its classes, and passes are not launched on the host";
  }
  for (const index_t length : {2, 7, 9, 16, 27, 60, 180, 343, 1000, 1250}) {
    for (const index_t inner : {1, 5, 37}) {
      for (int mode = 0; mode < 8; ++mode) {
        const TiledPass pass{length, inner, (mode & 1) != 0 && length > 16, (mode & 2) != 0, (mode & 4) != 0};
        TiledPass with_hooks = pass;
        with_hooks.has_hooks = true;
        with_hooks.half =
            std::array{HalfSpectrum::none, HalfSpectrum::odd, HalfSpectrum::even}[static_cast<std::size_t>((mode + inner) % 3)];
        check_tiles<float>(GetParam(), pass, 1);
        check_tiles<float>(GetParam(), with_hooks, 2);
        TiledPass convolved = with_hooks;  // of 7, by Rader's algorithm
        convolved.is_convolution = true;
        check_tiles<float>(GetParam(), convolved, 2);
        if (length < 400) {
          check_tiles<double>(GetParam(), pass, 3);
          check_tiles<double>(GetParam(), with_hooks, 1);
          check_tiles<double>(GetParam(), convolved, 3);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, GeneralTilesTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
