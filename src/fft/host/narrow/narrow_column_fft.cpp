#include "fft/host/narrow/narrow_column_fft.hpp"

#include "fft/host/narrow/narrow_pack.hpp"
#include "fft/host/transforms/transform.hpp"
#include "fft/lines/describe.hpp"
#include "fft/math/factors.hpp"
#include "fft/math/roots.hpp"

namespace phpc::fft {

namespace {

/// The longest lines; for longer ones whole packs are quicker in spite of their empty lanes.
constexpr index_t longest = 512;

/// Returns a pack with one number in all of its places.
template <int Width, class Real>
[[gnu::always_inline]] inline typename NarrowPack<Real, Width>::Lanes repeated(const Real* from) {
  typename NarrowPack<Real, Width>::Lanes lanes_of{};
#pragma GCC unroll 8
  for (int lane = 0; lane < 2 * Width; ++lane) {
    lanes_of[lane] = from[lane % 2];
  }
  return lanes_of;
}

template <int R, class Real, int Width>
[[gnu::always_inline]] inline void exchange_parts(NarrowPack<Real, Width> (&v)[R]) {
#pragma GCC unroll 16
  for (int q = 0; q < R; ++q) {
    v[q] = parts_exchanged(v[q]);
  }
}

/// Runs a stage that is not the last: butterflies j = 0 ... span - 1 of inputs j + q * span, times the twiddles of the stages to
/// come.
template <int R, int Width, class Real>
void run_stage(const ColumnStage<Real>& stage, const Real* from, index_t from_step, Real* to, index_t to_step) {
  const index_t span = stage.span;
  const bool exchanges = stage.exchanges;
  for (index_t base = 0; base < stage.groups * R * span; base += R * span) {
    const Real* w = stage.twiddles;
    for (index_t j = base; j < base + span; ++j) {
      NarrowPack<Real, Width> v[R];
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = load_narrow<Width>(from + (j + q * span) * from_step);
      }
      if (exchanges) {
        exchange_parts(v);
      }
      butterfly<R>(v);
      store_narrow(to + j * to_step, v[0]);
#pragma GCC unroll 16
      for (int q = 1; q < R; ++q) {
        store_narrow(to + (j + q * span) * to_step, product(v[q], repeated<Width>(w), repeated<Width>(w + 2)));
        w += 4;
      }
    }
  }
}

/// Runs the last stage, or the only one: butterflies of R neighbours.
template <int R, int Width, class Real>
void run_last_stage(const ColumnStage<Real>& stage, const Real* from, index_t from_step, Real* to, index_t to_step) {
  const index_t groups = stage.groups;
  const Real scale = stage.scale;
  const bool exchanges = stage.exchanges;
  const bool is_only = groups == 1;
  for (index_t group = 0; group < groups; ++group) {
    NarrowPack<Real, Width> v[R];
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      v[q] = load_narrow<Width>(from + (group * R + q) * from_step);
    }
    if (exchanges && is_only) {
      exchange_parts(v);
    }
    butterfly<R>(v);
    if (scale != 1) {
#pragma GCC unroll 16
      for (int q = 0; q < R; ++q) {
        v[q] = scaled(v[q], scale);
      }
    }
    if (exchanges) {
      exchange_parts(v);
    }
    Real* const first = to + stage.outputs[group] * to_step;
#pragma GCC unroll 16
    for (int q = 0; q < R; ++q) {
      store_narrow(first + q * groups * to_step, v[q]);
    }
  }
}

template <class Real, bool IsLast, int R, int Width>
constexpr typename ColumnStage<Real>::Run stage_of_width() {
  if constexpr (Width > narrow_width<Real>) {
    return nullptr;
  } else {
    return IsLast ? run_last_stage<R, Width, Real> : run_stage<R, Width, Real>;
  }
}

template <class Real, bool IsLast, int... Radices>
void choose(ColumnStage<Real>& stage, int radix, std::integer_sequence<int, Radices...> /*list*/) {
  static_cast<void>(
      ((radix == Radices && (stage.run = {stage_of_width<Real, IsLast, Radices, 1>(), stage_of_width<Real, IsLast, Radices, 2>(),
                                          stage_of_width<Real, IsLast, Radices, 4>()},
                             true)) ||
       ...));
}

}  // namespace

template <class Real>
bool NarrowColumnFft<Real>::fits(const LineProblem& problem) {
  return problem.from == Elements::complex && problem.to == Elements::complex && problem.length > 1 &&
         problem.length <= longest && is_smooth(problem.length);
}

template <class Real>
NarrowColumnFft<Real>::NarrowColumnFft(const LineProblem& problem)
    : length_(problem.length),
      from_step_(2 * problem.from_stride),
      to_step_(2 * problem.to_stride),
      radices_(host_radices(problem.length).value()) {
  const RootsOfUnity root(length_);
  const bool exchanges = problem.direction == Direction::inverse;
  std::vector<index_t> order{0};  // the frequency, as far as it is known, of each of the transforms that are left
  index_t left = length_;
  for (const int radix : radices_) {
    const index_t groups = length_ / left;
    const index_t span = left / radix;
    if (span == 1) {
      break;
    }
    ColumnStage<Real> stage;
    stage.span = span;
    stage.groups = groups;
    stage.exchanges = exchanges && groups == 1;
    stage.table = twiddles_.size();
    choose<Real, false>(stage, radix, HostRadixList{});
    stages_.push_back(stage);
    for (index_t j = 0; j < span; ++j) {
      for (int q = 1; q < radix; ++q) {
        const Complex<double> w = root(j * q % left * groups);
        const auto re = static_cast<Real>(w.re);
        const auto im = static_cast<Real>(w.im);
        twiddles_.insert(twiddles_.end(), {re, re, -im, im});
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
  outputs_.assign(order.begin(), order.end());
  ColumnStage<Real> last;
  last.groups = length_ / radices_.back();
  last.exchanges = exchanges;
  last.scale = static_cast<Real>(problem.scale);
  last.outputs = outputs_.data();
  choose<Real, true>(last, radices_.back(), HostRadixList{});
  stages_.push_back(last);
  for (ColumnStage<Real>& stage : stages_) {
    stage.twiddles = twiddles_.data() + stage.table;
  }
}

template <class Real>
std::size_t NarrowColumnFft<Real>::table_bytes() const {
  return twiddles_.size() * sizeof(Real) + outputs_.size() * sizeof(std::int32_t);
}

template <class Real>
std::string NarrowColumnFft<Real>::describe() const {
  return "neighbouring lines in narrow packs, " + radix_text(radices_);
}

template <class Real>
std::size_t NarrowColumnFft<Real>::scratch_bytes() const {
  return stages_.size() == 1 ? 0 : static_cast<std::size_t>(2 * narrow_width<Real> * length_) * sizeof(Real);
}

template <class Real>
void NarrowColumnFft<Real>::run(const Real* from, Real* to, index_t count, Real* scratch) const {
  const ColumnStage<Real>* const last = &stages_.back();
  int width = narrow_width<Real>;
  for (index_t column = 0; column < count; column += width) {
    while (column + width > count) {
      width /= 2;
    }
    const std::size_t way = static_cast<std::size_t>(width / 2);  // 1, 2, 4: 0, 1, 2
    const index_t scratch_step = 2 * width;
    const Real* in = from + 2 * column;
    index_t in_step = from_step_;
    for (const ColumnStage<Real>* stage = stages_.data(); stage != last; ++stage) {
      stage->run[way](*stage, in, in_step, scratch, scratch_step);
      in = scratch;
      in_step = scratch_step;
    }
    last->run[way](*last, in, in_step, to + 2 * column, to_step_);
  }
}

template class NarrowColumnFft<float>;
template class NarrowColumnFft<double>;

}  // namespace phpc::fft
