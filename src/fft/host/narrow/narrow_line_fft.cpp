#include "fft/host/narrow/narrow_line_fft.hpp"

#include <algorithm>

#include "fft/host/batched_lines/batched_line_fft.hpp"
#include "fft/host/narrow/narrow_ends.hpp"
#include "fft/host/narrow/narrow_kernels.hpp"
#include "fft/host/transforms/transform.hpp"
#include "fft/lines/describe.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/factors.hpp"
#include "fft/math/roots.hpp"

namespace phpc::fft {

namespace {

/// The longest lines for which narrow packs are sure to be faster than a tile of which one lane has a line.
constexpr index_t longest = 4096;

/// Returns the width of packs for so many neighbouring numbers: narrower ones for few.
template <class Real>
int width_for(index_t count) {
  int width = narrow_width<Real>;
  while (width > count) {
    width /= 2;
  }
  return width;
}

/// Calls f.operator()<Width>() for Width == width.
template <class Real, class F, int Width = narrow_width<Real>>
void with_width(int width, const F& f) {
  if (width == Width) {
    f.template operator()<Width>();
  } else if constexpr (Width > 1) {
    with_width<Real, F, Width / 2>(width, f);
  }
}

/// Calls f.operator()<R>() for R == radix.
template <class F, int... Radices>
void with_radix(int radix, const F& f, std::integer_sequence<int, Radices...> /*list*/) {
  static_cast<void>(((radix == Radices && (f.template operator()<Radices>(), true)) || ...));
}

using OddLengths = std::integer_sequence<int, 1, 3, 5, 7, 9, 11, 13, 15>;

/// The transform of one element: a product by the scale.
template <class Real>
void run_one(const NarrowStage<Real>& stage, const Real* from, Real* to) {
  const Real re = from[0] * stage.scale;
  const Real im = from[1] * stage.scale;
  to[0] = re;
  to[1] = im;
}

/// Appends two packs that multiply each of `width` numbers by its factor.
template <class Real, class Factor>
void add_factors(std::vector<Real>& table, int width, const Factor& factor) {
  Real re[2 * narrow_width<Real>];
  Real im[2 * narrow_width<Real>];
  for (int lane = 0; lane < width; ++lane) {
    const auto w = factor(lane);
    re[2 * lane] = re[2 * lane + 1] = static_cast<Real>(w.re);
    im[2 * lane + 1] = static_cast<Real>(w.im);
    im[2 * lane] = -im[2 * lane + 1];
  }
  table.insert(table.end(), re, re + 2 * width);
  table.insert(table.end(), im, im + 2 * width);
}

}  // namespace

/// The products of a line's elements with a table of factors, as a stage.
template <class Real>
struct NarrowLineFft<Real>::Products {
  const std::vector<Complex<double>>& factors;
  index_t padded;  ///< with zeros
  bool exchanges_in = false;
  bool exchanges_out = false;
  double scale = 1;
};

template <class Real>
bool NarrowLineFft<Real>::fits(const LineProblem& problem) {
  const index_t length = complex_length(problem);
  return problem.from_stride == 1 && problem.to_stride == 1 && problem.from != Elements::planar &&
         problem.to != Elements::planar && (is_smooth(length) ? length : padded_length(2 * length - 1)) <= longest;
}

template <class Real>
NarrowLineFft<Real>::NarrowLineFft(const LineProblem& problem) {
  const index_t length = complex_length(problem);
  const bool is_short_line = BatchedLineFft<Real>::takes_short_lines(problem);
  const bool is_inverse = problem.direction == Direction::inverse;
  const bool is_smooth_length = is_smooth(length);
  // The scale is where BatchedLineFft has it: in twiddles of short lines, after the halves of real ones, else after the
  // transform.
  const bool makes_halves = is_halved(problem) && !is_inverse;
  const double scale = makes_halves ? 1 : problem.scale;
  const std::vector<int> radices = is_short_line      ? ShortLineFft<Real>::radices(length)
                                   : is_smooth_length ? host_radices(length).value()
                                                      : std::vector<int>{};
  if (is_smooth_length) {
    method_ = radix_text(radices);
  }
  if (is_smooth_length && radices.size() <= 1) {
    add_only(problem, radices);
    finish();
    return;
  }
  if (problem.to == Elements::real) {
    if (is_halved(problem)) {
      add_halves(length, problem.direction, 1);
    } else {
      stages_.push_back({.run = detail::run_conjugates<Real>, .span = length});
    }
  } else if (problem.from == Elements::real && !is_halved(problem)) {
    stages_.push_back({.run = detail::run_widening<Real>, .span = length});
  }
  if (is_smooth_length) {
    add({length, radices, is_inverse, scale, is_short_line});
  } else {
    add_convolution(length, is_inverse, scale);
  }
  if (makes_halves) {
    add_halves(length, problem.direction, problem.scale);
  } else if (problem.from == Elements::real) {
    stages_.push_back({.run = detail::run_halving<Real>, .span = length});
  } else if (problem.to == Elements::real && !is_halved(problem)) {
    stages_.push_back({.run = detail::run_narrowing<Real>, .span = length});
  }
  finish();
}

/// Adds the only stage of a line that is one butterfly, or none.
template <class Real>
void NarrowLineFft<Real>::add_only(const LineProblem& problem, const std::vector<int>& radices) {
  const int radix = radices.empty() ? 1 : radices[0];
  const bool is_inverse = problem.direction == Direction::inverse;
  NarrowStage<Real> stage{.exchanges_in = is_inverse, .exchanges_out = is_inverse, .scale = static_cast<Real>(problem.scale)};
  if (!problem.is_real()) {
    stage.run = run_one<Real>;
    with_radix(radix, [&]<int R>() { stage.run = detail::run_only_stage<R, Real>; }, OneButterflyLengths{});
  } else if (!is_halved(problem)) {
    with_radix(
        radix, [&]<int R>() { stage.run = is_inverse ? detail::run_only_to_real<R, Real> : detail::run_only_from_real<R, Real>; },
        OddLengths{});
  } else {
    const auto choose = [&]<int R>() {
      stage.run = is_inverse ? detail::run_only_halved<R, false, Real> : detail::run_only_halved<R, true, Real>;
    };
    with_radix(radix, choose, std::integer_sequence<int, 1>{});
    with_radix(radix, choose, HostRadixList{});
    const HostHalves<Real> halves(radix, problem.direction);
    for (index_t k = 1; k <= radix / 2; ++k) {
      add_factors(table_, 1, [&](int) { return halves.twiddle(k); });
    }
  }
  stages_.push_back(stage);
}

template <class Real>
void NarrowLineFft<Real>::add(const SmoothTransform& transform) {
  const index_t length = transform.length;
  half_ = std::max(half_, 2 * length);
  const std::vector<Complex<double>> roots = all_roots_of_unity(length);
  std::vector<index_t> order{0};  // the frequency, as far as it is known, of each of the transforms that are left
  index_t left = length;
  for (const int radix : transform.radices) {
    const index_t groups = length / left;
    const index_t span = left / radix;
    if (span == 1) {
      break;
    }
    const bool is_first = groups == 1;
    const double scale = transform.scales_twiddles && is_first ? transform.scale : 1;
    const int width = width_for<Real>(span);
    NarrowStage<Real> stage{.span = span,
                            .groups = groups,
                            .exchanges_in = is_first && transform.exchanges,
                            .scale = static_cast<Real>(scale),
                            .table = table_.size()};
    with_radix(
        radix, [&]<int R>() { with_width<Real>(width, [&]<int Width>() { stage.run = detail::run_stage<R, Width, Real>; }); },
        HostRadixList{});
    stages_.push_back(stage);
    for (index_t next = 0; next < span; next += width) {
      const index_t first = std::min(next, span - width);
      for (int q = 1; q < radix; ++q) {
        add_factors(table_, width,
                    [&](int lane) { return scaled(roots[static_cast<std::size_t>((first + lane) * q * groups)], scale); });
      }
    }
    std::vector<index_t> finer;
    for (const index_t earlier : order) {
      for (int q = 0; q < radix; ++q) {
        finer.push_back(earlier + groups * q);
      }
    }
    order = std::move(finer);
    left = span;
  }
  const int radix = transform.radices.back();
  const index_t groups = length / radix;
  std::vector<std::int32_t>& positions = positions_.emplace_back(static_cast<std::size_t>(groups));
  for (index_t group = 0; group < groups; ++group) {
    positions[static_cast<std::size_t>(order[static_cast<std::size_t>(group)])] = static_cast<std::int32_t>(2 * group * radix);
  }
  NarrowStage<Real> stage{.groups = groups,
                          .exchanges_out = transform.exchanges,
                          .scale = static_cast<Real>(transform.scales_twiddles ? 1 : transform.scale),
                          .positions = positions.data()};
  with_radix(
      radix,
      [&]<int R>() {
        with_width<Real>(width_for<Real>(groups), [&]<int Width>() { stage.run = detail::run_last_stage<R, Width, Real>; });
      },
      HostRadixList{});
  stages_.push_back(stage);
}

template <class Real>
void NarrowLineFft<Real>::add(const Products& products) {
  const auto count = static_cast<index_t>(products.factors.size());
  const int width = width_for<Real>(count);
  NarrowStage<Real> stage{.span = count,
                          .groups = products.padded,
                          .exchanges_in = products.exchanges_in,
                          .exchanges_out = products.exchanges_out,
                          .scale = static_cast<Real>(products.scale),
                          .table = table_.size()};
  with_width<Real>(width, [&]<int Width>() { stage.run = detail::run_products<Width, Real>; });
  stages_.push_back(stage);
  for (index_t next = 0; next < count; next += width) {
    const index_t first = std::min(next, count - width);
    add_factors(table_, width, [&](int lane) { return products.factors[static_cast<std::size_t>(first + lane)]; });
  }
}

/// Adds the stages of a convolution, in the order of HostTileTransform.
template <class Real>
void NarrowLineFft<Real>::add_convolution(index_t length, bool exchanges, double scale) {
  const index_t padded = padded_length(2 * length - 1);
  const std::vector<int> radices = host_radices(padded).value();
  const std::vector<Complex<double>> chirp_values = chirp(length);
  const std::vector<Complex<double>> filter = bluestein_filter_spectrum<Real>(chirp_values, padded);
  add(Products{chirp_values, padded, exchanges});
  add(SmoothTransform{padded, radices});
  add(Products{filter, padded, false, true});
  add(SmoothTransform{padded, radices});
  add(Products{chirp_values, length, true, exchanges, scale});
  method_ = "a convolution of " + std::to_string(padded) + " (" + radix_text(radices) + ")";
}

template <class Real>
void NarrowLineFft<Real>::add_halves(index_t h, Direction direction, double scale) {
  half_ = std::max(half_, 2 * h);
  const bool is_forward = direction == Direction::forward;
  stages_.push_back({.run = is_forward ? detail::run_halves<true, Real> : detail::run_halves<false, Real>,
                     .span = h,
                     .scale = static_cast<Real>(scale),
                     .table = table_.size()});
  const HostHalves<Real> halves(h, direction);
  index_t k = 1;
  for (int width = narrow_width<Real>; width >= 1; width /= 2) {
    for (; width == 1 ? 2 * k <= h : 2 * (k + width - 1) < h; k += width) {
      add_factors(table_, width, [&](int lane) { return halves.twiddle(k + lane); });
    }
  }
  method_ = "as " + std::to_string(h) + " pairs of reals, " + method_;
}

template <class Real>
void NarrowLineFft<Real>::finish() {
  for (NarrowStage<Real>& stage : stages_) {
    stage.twiddles = table_.data() + stage.table;
  }
  last_ = &stages_.back();
}

template <class Real>
std::size_t NarrowLineFft<Real>::table_bytes() const {
  std::size_t bytes = table_.size() * sizeof(Real);
  for (const std::vector<std::int32_t>& positions : positions_) {
    bytes += positions.size() * sizeof(std::int32_t);
  }
  return bytes;
}

template <class Real>
std::string NarrowLineFft<Real>::describe() const {
  return "in narrow packs, " + method_;
}

template <class Real>
std::size_t NarrowLineFft<Real>::scratch_bytes() const {
  const std::size_t halves = std::min<std::size_t>(stages_.size() - 1, 2);
  return halves * static_cast<std::size_t>(half_) * sizeof(Real);
}

template class NarrowLineFft<float>;
template class NarrowLineFft<double>;

}  // namespace phpc::fft
