#pragma once
#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "fft/device/general/kernel.hpp"
#include "fft/device/general/launch.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::fft {

/// Teams of one launch: far below what a GPU's grids and 32 bits hold, far above what it needs.
inline constexpr index_t most_general_teams = index_t{1} << 20;

template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const RowsInMemory<Real>& rows) {
  const index_t width = plan.work.width;
  for (index_t done = 0; done < rows.count; done += most_general_teams * width) {
    const index_t count = std::min(rows.count - done, most_general_teams * width);
    const Real sign = rows.is_inverse ? -1 : 1;
    exec::launch_on_gpu(
        device, {.groups = ceil_div(count, width), .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
        GeneralKernel<Real, Largest, RowEnds<Real>>{{rows.in + done * rows.from, rows.out + done * rows.to, rows.from, rows.to,
                                                     sign, rows.scale, sign * rows.scale, static_cast<unsigned>(count)},
                                                    plan.work});
  }
}

template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const RealRowsInMemory<Real>& rows) {
  const index_t width = plan.work.width;
  const auto begin_of = [](auto* array, RealEnd end, index_t element) {
    using Bytes = std::conditional_t<std::is_const_v<std::remove_pointer_t<decltype(array)>>, const std::byte, std::byte>;
    const std::size_t bytes = end == RealEnd::reals ? sizeof(Real) : sizeof(Complex<Real>);
    return static_cast<Bytes*>(array) + static_cast<std::size_t>(element) * bytes;
  };
  for (index_t done = 0; done < rows.count; done += most_general_teams * width) {
    const index_t count = std::min(rows.count - done, most_general_teams * width);
    exec::launch_on_gpu(
        device, {.groups = ceil_div(count, width), .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
        GeneralKernel<Real, Largest, RealRowEnds<Real>>{
            {begin_of(rows.in, plan.load, done * rows.from), begin_of(rows.out, plan.store, done * rows.to), plan.roots,
             static_cast<unsigned>(rows.from), static_cast<unsigned>(rows.to), plan.elements, static_cast<unsigned>(count),
             rows.scale, plan.load, plan.store, rows.is_inverse, plan.reads_reals, plan.writes_reals},
            plan.work});
  }
}

template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const PassInMemory<Real>& pass) {
  exec::launch_on_gpu(device, {.groups = pass.groups, .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
                      GeneralKernel<Real, Largest, PassTiles<Real>>{
                          {pass.in, pass.out, pass.pass, pass.loops, pass.in_imaginary, pass.out_imaginary}, plan.work});
}

template <class Real, int Largest>
void launch_general_class(exec::Device device, const GeneralRows<Real>& plan, const PassOfParts<Real>& pass) {
  exec::launch_on_gpu(device, {.groups = pass.groups, .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
                      GeneralKernel<Real, Largest, HookedTiles<Real>>{
                          {pass.in, pass.out, pass.pass, plan.numbers, pass.window, plan.elements}, plan.work});
}

template <class Real, int Largest>
void launch_convolution_class(exec::Device device, const GeneralRows<Real>& plan, const PassOfParts<Real>& pass) {
  const ConvolvedTiles<Real> tiles{{pass.in, pass.out, pass.pass, plan.numbers, pass.window, plan.elements}, plan.convolution};
  exec::launch_on_gpu(device, {.groups = pass.groups, .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size},
                      GeneralKernel<Real, Largest, ConvolvedTiles<Real>>{tiles, plan.work});
}

/// Launches the kernel of the ends that launch(is_convolved) makes, of a pass with one transform or of a convolution.
/// Convolutions of real lines have kernels of the first class alone.
template <class Real, int Largest, class Launch>
void launch_either(const GeneralRows<Real>& plan, const Launch& launch) {
  constexpr bool has_convolutions = Largest == ConvolutionClasses<Real>::all[0].largest;
  if (!plan.is_convolution()) {
    launch(std::false_type{});
  } else if constexpr (has_convolutions) {
    launch(std::true_type{});
  } else {
    PHPC_EXPECT(has_convolutions);
  }
}

template <class Real, int Largest>
void launch_convolution_class(exec::Device device, const GeneralRows<Real>& plan, const PassInMemory<Real>& pass) {
  const exec::LaunchShape shape{.groups = pass.groups, .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size};
  const auto launch = [&]<bool IsConvolved>(std::bool_constant<IsConvolved> /*is_convolved*/) {
    using Tiles = FactorTiles<Real, IsConvolved>;
    exec::launch_on_gpu(
        device, shape,
        GeneralKernel<Real, Largest, Tiles>{{pass.in, pass.out, pass.pass, pass.loops, plan.convolution}, plan.work});
  };
  plan.is_convolution() ? launch(std::true_type{}) : launch(std::false_type{});
}

template <class Real, int Largest>
void launch_convolution_class(exec::Device device, const GeneralRows<Real>& plan, const RealPassInMemory<Real>& pass) {
  const exec::LaunchShape shape{.groups = pass.groups, .scratch_bytes = plan.scratch_bytes, .team_size = plan.team_size};
  const auto* const in = static_cast<const Complex<Real>*>(pass.in);
  auto* const out = static_cast<Complex<Real>*>(pass.out);
  if (plan.form == GeneralForm::real_columns) {
    const RealColumns<Real> columns{
        pass.in, pass.out, pass.pass, pass.loops, plan.elements, plan.columns, plan.load == RealEnd::reals};
    exec::launch_on_gpu(device, shape, GeneralKernel<Real, Largest, RealColumns<Real>>{columns, plan.work});
  } else if (plan.form == GeneralForm::conjugate_pairs) {
    launch_either<Real, Largest>(plan, [&]<bool IsConvolved>(std::bool_constant<IsConvolved> /*is_convolved*/) {
      using Tiles = ConjugatePairTiles<Real, IsConvolved>;
      const Tiles tiles{
          in, out, pass.pass, pass.loops, plan.line, plan.rows, plan.load == RealEnd::half, plan.work.length, plan.convolution};
      exec::launch_on_gpu(device, shape, GeneralKernel<Real, Largest, Tiles>{tiles, plan.work});
    });
  } else {
    launch_either<Real, Largest>(plan, [&]<bool IsConvolved>(std::bool_constant<IsConvolved> /*is_convolved*/) {
      using Tiles = RealFactorTiles<Real, IsConvolved>;
      const Tiles tiles{{in, out, pass.pass, pass.loops, plan.convolution},
                        plan.load == RealEnd::reals,
                        plan.load == RealEnd::odd_half,
                        plan.store == RealEnd::reals};
      exec::launch_on_gpu(device, shape, GeneralKernel<Real, Largest, Tiles>{tiles, plan.work});
    });
  }
}

}  // namespace phpc::fft
