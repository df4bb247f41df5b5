#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "fft/device/general/kernel.hpp"
#include "fft/device/general/rule/rule.hpp"
#include "fft/device/general/rule/tables.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/limits.hpp"
#include "fft/device/pass_launch.hpp"
#include "fft/device/pass_tables.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/long_double_transform.hpp"
#include "fft/math/rader.hpp"
#include "phpc/exec/launch.hpp"
#include "support/devices.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

namespace phpc::fft {
namespace {

using exec::Device;

constexpr unsigned tile_seed = 6;
/// Of the kernels here: with radices over it clang took five minutes. Those are tested as rows (general_test.cpp), and on GPUs.
constexpr int most_radix = 16;
/// The kernels' class is no class of the library's: an instance of the library's name, without its cap of registers, would stand
/// in for the library's in the whole test program.
constexpr int own_class = most_radix + 1;

/// A pass of a longer transform: columns, or the last one, which reads rows and writes columns; with twiddles or without.
struct TiledPass {
  index_t length;
  index_t inner;
  bool is_last;
  bool has_twiddles;
  bool swaps;
  bool has_hooks = false;  ///< and planar numbers
  HalfSpectrum half = HalfSpectrum::none;
  bool is_convolution = false;
  bool has_factors = false;    ///< FactorTiles, and interleaved numbers
  bool postprocesses = false;  ///< with the other hooks of loads, of a pass of whole lines
  bool is_planar = false;      ///< without hooks too
};

template <class Real>
Pass<Real> made_pass(PassTables<Real>& tables, const TiledPass& wanted, index_t outer) {
  Pass<Real> pass;
  const index_t n = wanted.length * wanted.inner;
  const index_t to = n + (wanted.postprocesses ? wanted.inner : 0);
  tables.set_transform(pass, PassForm::columns, wanted.length);
  if (wanted.has_twiddles) {
    tables.set_four_step_twiddles(pass, n);
  }
  pass.from_step = wanted.is_last ? 1 : wanted.inner;
  pass.to_step = wanted.inner;
  pass.load.swap = wanted.swaps;
  pass.store.swap_last = wanted.swaps;
  pass.store.scale = Real{0.5};
  pass.width = static_cast<int>(std::min<index_t>(wanted.inner, 4));
  pass.add_loop({.count = outer, .from = n, .to = to});
  pass.add_loop(
      {.count = wanted.inner, .from = wanted.is_last ? wanted.length : 1, .to = 1, .twiddle_step = wanted.has_twiddles ? 1 : 0});
  return pass;
}

/// All hooks but r2c_roots, in the order of memory; those of a convolution around the pass where has_factors.
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

/// The hooks of a pass, by what it is.
template <class Real>
void add_hooks(PassTables<Real>& tables, Pass<Real>& pass, const TiledPass& wanted) {
  const index_t n = wanted.length * wanted.inner;
  if (wanted.postprocesses) {
    pass.store.r2c_roots = tables.keep_roots(2 * wanted.length, wanted.length + 1);
  } else if (wanted.has_factors && !wanted.is_convolution) {
    add_hooks(tables, pass, n, HalfSpectrum::none, true);
  } else if (wanted.has_hooks) {
    add_hooks(tables, pass, n, wanted.half, !wanted.is_convolution);
  }
}

/// Those of convolutions of the wanted pass, of `padded` elements.
template <class Real>
ConvolutionTables<Real> convolution_tables(PassTables<Real>& tables, const TiledPass& wanted, index_t padded,
                                           const GeneralShape& shape, const GeneralTables& made) {
  ConvolutionTables<Real> convolution;
  std::copy(made.back.begin(), made.back.end(), std::begin(convolution.back));
  if (shape.is_rader) {
    convolution.is_rader = true;
    convolution.spectrum = tables.keep(long_double_transform(rader_filter(primitive_powers(wanted.length))));
    return convolution;
  }
  std::vector<Complex<double>> chirp_values = chirp(wanted.length);
  convolution.spectrum = tables.keep(bluestein_filter_spectrum<Real>(chirp_values, padded));
  if (!wanted.has_factors) {
    std::vector<Complex<double>> by_items;
    by_items.reserve(made.numbers.size());
    for (const GeneralElement& element : made.numbers) {
      by_items.push_back(chirp_values[element.number & 0xffff]);
    }
    chirp_values = std::move(by_items);
  }
  convolution.chirp = tables.keep(chirp_values);
  return convolution;
}

/// The general kernel for GPUs against the one of other devices: tiles without hooks on interleaved or planar numbers, or with
/// all of them on planar ones.
template <class Real>
void check_tiles(Device device, const TiledPass& wanted, int team_size) {
  const bool has_hooks = wanted.has_hooks;
  constexpr std::size_t scratch = 200000;
  const index_t outer = 2;
  const index_t n = wanted.length * wanted.inner;
  PassTables<Real> tables(device);
  Pass<Real> pass = made_pass(tables, wanted, outer);
  add_hooks(tables, pass, wanted);
  const ColumnPlaces places{wanted.inner, wanted.inner};
  const auto [padded, columns] = convolution_shape<Real>(wanted.length, places, wanted.has_factors, scratch);
  GeneralShape shape = wanted.is_convolution ? columns.shape : column_shape<Real>(wanted.length, places, scratch).shape;
  if (wanted.is_convolution && wanted.has_factors && shape.is_rader) {
    return;
  }
  shape.radices = radices_up_to(wanted.is_convolution ? padded : wanted.length, most_radix);
  shape.has_elements = has_hooks;
  shape.has_factors = wanted.has_factors;
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
  const index_t count = outer * (n + wanted.inner);  // of lines, element n too
  const auto signal = test::random_signal<Real>(count, tile_seed);
  const exec::Buffer<Complex<Real>> in(device, std::span<const Complex<Real>>(signal));
  exec::Buffer<Complex<Real>> expected(device, std::span<const Complex<Real>>(signal));
  exec::Buffer<Complex<Real>> out(device, std::span<const Complex<Real>>(signal));
  const bool is_planar = has_hooks || wanted.is_planar;
  const index_t second = is_planar ? count : 1;
  const std::uint32_t pitch = is_planar ? 1 : 2;
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
  const HookedTiles<Real> hooked{{from.first, from.second, pitch, 0},
                                 {to.first, to.second, pitch, 0},
                                 on_device.data(),
                                 numbers.data(),
                                 window,
                                 made.elements};
  const ConvolutionTables<Real> convolution =
      wanted.is_convolution ? convolution_tables(tables, wanted, padded, shape, made) : ConvolutionTables<Real>{};
  const TileLoops loops = tile_loops(pass, window, shape.width);
  if (wanted.has_factors) {
    const auto launch_factors = [&]<bool IsConvolved>(std::bool_constant<IsConvolved> /*is_convolved*/) {
      using Tiles = FactorTiles<Real, IsConvolved>;
      const Tiles tiles{in.data(), out.data(), on_device.data(), loops, convolution};
      test::launch_in_team(device, launched, team_size, GeneralKernel<Real, own_class, Tiles>{tiles, work});
    };
    wanted.is_convolution ? launch_factors(std::true_type{}) : launch_factors(std::false_type{});
  } else if (wanted.is_convolution) {
    const ConvolvedTiles<Real> tiles{hooked, convolution};
    test::launch_in_team(device, launched, team_size, GeneralKernel<Real, own_class, ConvolvedTiles<Real>>{tiles, work});
  } else if (has_hooks) {
    test::launch_in_team(device, launched, team_size, GeneralKernel<Real, own_class, HookedTiles<Real>>{hooked, work});
  } else {
    const PassTiles<Real> tiles{
        in.data(), out.data(), on_device.data(), loops, is_planar ? from.second : nullptr, is_planar ? to.second : nullptr};
    test::launch_in_team(device, launched, team_size, GeneralKernel<Real, own_class, PassTiles<Real>>{tiles, work});
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
      << wanted.length << " x " << wanted.inner << (wanted.is_last ? ", last" : "") << (wanted.has_twiddles ? ", twiddles" : "")
      << (has_hooks ? ", hooks" : "") << (wanted.is_planar ? ", planar" : "") << (wanted.has_factors ? ", factors" : "")
      << (wanted.postprocesses ? ", r2c" : "") << (wanted.is_convolution ? ", a convolution" : "")
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
        TiledPass planar = pass;
        planar.is_planar = true;
        check_tiles<float>(GetParam(), pass, 1);
        check_tiles<float>(GetParam(), planar, 2);
        check_tiles<float>(GetParam(), with_hooks, 2);
        TiledPass convolved = with_hooks;  // of 7, by Rader's algorithm
        convolved.is_convolution = true;
        check_tiles<float>(GetParam(), convolved, 2);
        TiledPass with_factors = pass;
        with_factors.has_factors = true;
        check_tiles<float>(GetParam(), with_factors, 2);
        TiledPass direct = with_factors;
        direct.is_convolution = true;
        check_tiles<float>(GetParam(), direct, 3);
        if (length < 400) {
          check_tiles<double>(GetParam(), pass, 3);
          check_tiles<double>(GetParam(), planar, 1);
          check_tiles<double>(GetParam(), with_hooks, 1);
          check_tiles<double>(GetParam(), convolved, 3);
          check_tiles<double>(GetParam(), with_factors, 2);
          check_tiles<double>(GetParam(), direct, 2);
        }
        if (!pass.has_twiddles) {
          for (TiledPass* const r2c_postprocessed : {&with_hooks, &convolved}) {
            r2c_postprocessed->postprocesses = true;
            check_tiles<float>(GetParam(), *r2c_postprocessed, 2);
          }
          check_tiles<double>(GetParam(), convolved, 1);
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, GeneralTilesTest, testing::ValuesIn(test::devices()),
                         [](const auto& tested) { return test::test_name(tested.param); });

}  // namespace
}  // namespace phpc::fft
