#pragma once
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <span>

#include "fft/device/fixed/convolutions/convolved_rows.hpp"
#include "fft/device/fixed/shapes/convolution_shapes.hpp"
#include "fft/device/general/ends/prime_tiles.hpp"
#include "fft/device/general/kernel.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "fft/device/line_passes.hpp"
#include "fft/device/pass_launch.hpp"
#include "phpc/exec/launch.hpp"
#include "support/dft_oracle.hpp"
#include "support/launch_in_team.hpp"

/// The passes that a plan takes on a GPU, run on other devices.
namespace phpc::fft {

inline constexpr std::size_t gpu_scratch = 200000;  ///< bytes of a team, as if of a GPU

/// The class of kernels here, of all radices that convolutions have; no class of the library's (see tiles_test.cpp).
template <class Real>
inline constexpr int own_class = ConvolutionClasses<Real>::all[1].largest + 1;

inline index_t drawn(std::mt19937_64& random, index_t least, index_t most) {
  return least + static_cast<index_t>(random() % static_cast<std::uint64_t>(most - least + 1));
}

inline index_t drawn_prime(std::mt19937_64& random, index_t least, index_t most) {
  index_t prime = drawn(random, least, most);
  while (test::smallest_prime_factor(prime) != prime) {
    prime = drawn(random, least, most);
  }
  return prime;
}

/// The lines of a problem as a GPU has them, without passes yet.
template <class Real>
LinePasses<Real> gpu_lines(exec::Device device, const LineProblem& problem) {
  LinePasses<Real> lines(device, problem, true);
  lines.tables = PassTables<Real>(device, gpu_scratch);
  lines.capacity = tile_elements<Real>(static_cast<index_t>(gpu_scratch));
  return lines;
}

/// What the passes of a problem read and write.
template <class Real>
LineEnds<Real> gpu_ends(const LinePasses<Real>& lines) {
  LineEnds<Real> ends{Place::input, Place::output, lines.from, lines.to};
  ends.load.swap = lines.problem.direction == Direction::inverse;
  ends.store.swap_last = ends.load.swap;
  ends.store.scale = static_cast<Real>(lines.problem.scale);
  ends.is_plain = lines.problem.from == Elements::complex && lines.problem.to == Elements::complex;
  return ends;
}

/// A step of passes of all lines on a device, with the Ends that kernels need.
template <class Real>
class GpuStep {
 public:
  GpuStep(const LinePasses<Real>& lines, const LineStep<Real>& step, const Parts<Real>& in, const Parts<Real>& out, int team_size)
      : device_(lines.device),
        plan_(step.general),
        in_(in),
        out_(out),
        on_device_(device_, std::span<const Pass<Real>>(&step.pass, 1)),
        window_(lines.whole_window(step)),
        tiled_(step.pass),
        team_size_(team_size) {
    tiled_.width = plan_.work.width;
  }

  [[nodiscard]] ConvolvedTiles<Real> convolved_tiles() const {
    return {{{in_.first, in_.second, static_cast<std::uint32_t>(in_.pitch), are_whole(in_) ? 1U : 0U},
             {out_.first, out_.second, static_cast<std::uint32_t>(out_.pitch), are_whole(out_) ? 1U : 0U},
             on_device_.data(),
             plan_.numbers,
             window_,
             plan_.elements},
            plan_.convolution};
  }
  [[nodiscard]] PassTiles<Real> pass_tiles() const {
    return {reinterpret_cast<const Complex<Real>*>(in_.first),
            reinterpret_cast<Complex<Real>*>(out_.first),
            on_device_.data(),
            tile_loops(tiled_, window_, tiled_.width),
            are_planar(in_) ? in_.second : nullptr,
            are_planar(out_) ? out_.second : nullptr};
  }
  /// See launch_primes().
  [[nodiscard]] PrimeTiles<Real> prime_tiles() const {
    const GeneralStage* const stages = plan_.work.stages + plan_.work.stage_count;
    return {pass_tiles(), stages[0], stages[1]};
  }
  void launch_factors() const { plan_.is_convolution() ? launch(factor_tiles<true>()) : launch(factor_tiles<false>()); }
  void launch_real_factors() const {
    plan_.is_convolution() ? launch(real_factor_tiles<true>()) : launch(real_factor_tiles<false>());
  }

  /// The middle pass of a long convolution where a kernel of a fixed length does it, in teams of few threads.
  void launch_convolved_rows() const {
    index_t rows = 1;
    for (int loop = 0; loop < tiled_.loop_count; ++loop) {
      rows *= window_.count(tiled_, loop);
    }
    const bool is_found = with_shape(tiled_.length, typename FixedConvolvedRows<Real>::Shapes{}, [&](auto shape) {
      const FixedConvolvedRowsKernel<Real, decltype(with_few_threads(shape))> kernel{
          reinterpret_cast<Complex<Real>*>(out_.first),
          tiled_.fixed_twiddles,
          tiled_.filter_spectrum,
          {tiled_.fine, tiled_.coarse, tiled_.fine_shift},
          rows,
          static_cast<int>(window_.count(tiled_, tiled_.loop_count - 1))};
      test::launch_in_team(device_, {.groups = rows}, team_size_, kernel);
    });
    ASSERT_TRUE(is_found);
  }

  template <class Ends>
  void launch(const Ends& ends) const {
    ASSERT_GT(plan_.largest, 0);
    ASSERT_TRUE(plan_.largest < own_class<Real> || plan_.largest == most_defined_prime);
    test::launch_in_team(device_,
                         {.groups = pass_groups(tiled_, window_), .scratch_bytes = plan_.scratch_bytes, .team_size = team_size_},
                         team_size_, GeneralKernel<Real, own_class<Real>, Ends>{ends, plan_.work});
  }

 private:
  template <int Threads, int Width, int TeamsPerUnit, int... R>
  static FixedShape<2, 1, 0, R...> with_few_threads(FixedShape<Threads, Width, TeamsPerUnit, R...>);

  template <bool IsConvolved>
  [[nodiscard]] FactorTiles<Real, IsConvolved> factor_tiles() const {
    return {reinterpret_cast<const Complex<Real>*>(in_.first), reinterpret_cast<Complex<Real>*>(out_.first), on_device_.data(),
            tile_loops(tiled_, window_, tiled_.width), plan_.convolution};
  }
  template <bool IsConvolved>
  [[nodiscard]] RealFactorTiles<Real, IsConvolved> real_factor_tiles() const {
    return {factor_tiles<IsConvolved>(), plan_.load == RealEnd::reals, plan_.load == RealEnd::odd_half,
            plan_.store == RealEnd::reals};
  }

  exec::Device device_;
  const GeneralRows<Real>& plan_;
  Parts<Real> in_;
  Parts<Real> out_;
  exec::Buffer<Pass<Real>> on_device_;
  PassWindow window_;
  Pass<Real> tiled_;
  int team_size_;
};

/// Calls run(step, in, out) for all steps, of all lines at once.
template <class Real, class Run>
void run_steps(LinePasses<Real>& lines, const Parts<Real>& in, const Parts<Real>& out, const Run& run) {
  ASSERT_TRUE(lines.work_lines == 0 || lines.work_lines == lines.loops.lines());
  auto* const work = reinterpret_cast<Real*>(lines.first_work.data());
  const Parts<Real> between{work, work == nullptr ? nullptr : work + 1, 2};
  for (const LineStep<Real>& step : lines.steps) {
    run(step, step.from == Place::input ? in : between, step.to == Place::output ? out : between);
  }
}

}  // namespace phpc::fft
