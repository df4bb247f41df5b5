#pragma once
#include "phpc/core/types.hpp"
#include "phpc/exec/team.hpp"
#include "phpc/fft/hooks.hpp"

/// Kernels between the transforms of a convolution: padding, product and cut, element by element, hook_elements a team.
namespace phpc::fft {

/// Lengths along three axes, or a place.
struct Box {
  index_t length[3];
  [[nodiscard]] [[gnu::always_inline]] constexpr index_t elements() const { return length[0] * length[1] * length[2]; }
};

/// An element of one of many boxes.
struct BoxPlace {
  index_t item;
  index_t x;
  index_t y;
  index_t z;

  /// Of element i of boxes that lie one after another, in C order.
  [[gnu::always_inline]] static BoxPlace of(index_t i, const Box& box) {
    const index_t plane = i / box.length[2];
    const index_t whole = plane / box.length[1];
    return {whole / box.length[0], whole % box.length[0], plane % box.length[1], i % box.length[2]};
  }
  [[nodiscard, gnu::always_inline]] index_t in(const Box& box) const {
    return ((item * box.length[0] + x) * box.length[1] + y) * box.length[2] + z;
  }
};

namespace detail {

/// Calls kernel.thread_element(i) for all i of a team.
template <class Kernel>
[[gnu::always_inline]] inline void for_team_elements(const exec::Team& team, index_t count, const Kernel& kernel) {
  const index_t begin = team.league_rank() * hook_elements;
  for (index_t i = begin + team.rank(); i < begin + hook_elements && i < count; i += team.size()) {
    kernel.thread_element(i);
  }
}

}  // namespace detail

/// Pads: copies boxes of `from` into the corner of boxes of `whole`, with zeros elsewhere. A number is `reals` real ones.
template <class Real>
struct PadKernel {
  static constexpr int team_size = detail::hook_threads;
  struct Scratch {};
  const Real* in;
  Real* out;
  Box from;
  Box whole;
  index_t reals;
  index_t count;  ///< real numbers of `out`

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    detail::for_team_elements(team, count, *this);
  }
  [[gnu::always_inline]] void thread_element(index_t i) const {
    const BoxPlace place = BoxPlace::of(i / reals, whole);
    const bool is_inside = place.x < from.length[0] && place.y < from.length[1] && place.z < from.length[2];
    out[i] = is_inside ? in[place.in(from)*reals + i % reals] : Real{0};
  }
};

/// Cuts: copies boxes of `result`, which begin at `first` in boxes of `whole`.
template <class Real>
struct CutKernel {
  static constexpr int team_size = detail::hook_threads;
  struct Scratch {};
  const Real* in;
  Real* out;
  Box whole;
  Box result;
  Box first;
  index_t reals;
  index_t count;  ///< real numbers of `out`

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    detail::for_team_elements(team, count, *this);
  }
  [[gnu::always_inline]] void thread_element(index_t i) const {
    BoxPlace place = BoxPlace::of(i / reals, result);
    place.x += first.length[0];
    place.y += first.length[1];
    place.z += first.length[2];
    out[i] = in[place.in(whole)*reals + i % reals];
  }
};

/// Multiplies every spectrum by that of the filter.
template <class Real>
struct ProductKernel {
  static constexpr int team_size = detail::hook_threads;
  struct Scratch {};
  Complex<Real>* spectra;
  const Complex<Real>* filter;
  index_t each;
  index_t count;

  [[gnu::always_inline]] void operator()(const exec::Team& team, Scratch& /*scratch*/) const {
    detail::for_team_elements(team, count, *this);
  }
  [[gnu::always_inline]] void thread_element(index_t i) const { spectra[i] = spectra[i] * filter[i % each]; }
};

}  // namespace phpc::fft
