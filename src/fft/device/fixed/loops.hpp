#pragma once
#include <limits>

#include "fft/device/pass/pass.hpp"

/// Which passes the kernels of fixed lengths can do, and the loops of a pass as those kernels take them.
namespace phpc::fft {

/// The loops of a window; those that are missing have one iteration.
struct FixedLoops {
  PassLoop outer{};
  PassLoop middle{};
  PassLoop inner{};
};

/// Loops that there is a place for.
inline constexpr int most_fixed_loops = 3;

/// Whether kernels of fixed lengths have a place for all loops of a window.
template <class Real>
bool has_fixed_loops(const Pass<Real>& pass, const PassWindow& window) {
  return pass.loop_count - window.first <= most_fixed_loops;
}

/// Returns the loops of a window, as many as there is a place for.
template <class Real>
FixedLoops fixed_loops(const Pass<Real>& pass, const PassWindow& window) {
  FixedLoops loops;
  PassLoop* const slots[most_fixed_loops] = {&loops.inner, &loops.middle, &loops.outer};
  const int count = pass.loop_count - window.first;
  for (int index = 0; index < count && index < most_fixed_loops; ++index) {
    const int loop = pass.loop_count - 1 - index;
    *slots[index] = pass.loops[loop];
    slots[index]->count = window.count(pass, loop);
  }
  return loops;
}

/// Whether transforms are contiguous, with one loop over them.
template <class Real>
bool are_fixed_rows(const Pass<Real>& pass, const PassWindow& window) {
  const FixedLoops loops = fixed_loops(pass, window);
  return has_fixed_loops(pass, window) && loops.middle.count * loops.outer.count == 1 && pass.from_step == 1 && pass.to_step == 1;
}

/// Whether transforms lie side by side where they are written, and side by side or contiguous where they are read.
template <class Real>
bool are_fixed_columns(const Pass<Real>& pass, const PassWindow& window) {
  const FixedLoops loops = fixed_loops(pass, window);
  return has_fixed_loops(pass, window) && loops.inner.to == 1 && (loops.inner.from == 1 || pass.from_step == 1) &&
         loops.outer.twiddle_step == 0 && loops.middle.twiddle_step == 0;
}

/// Whether hooks are no more than PlainLoad and PlainStore, and kernels of rows and columns, can do.
template <class Real>
bool has_plain_hooks(const Pass<Real>& pass) {
  constexpr index_t all = std::numeric_limits<index_t>::max();
  const LoadHook<Real>& load = pass.load;
  const StoreHook<Real>& store = pass.store;
  return load.factors == nullptr && load.count == all && load.half == HalfSpectrum::none && store.factors == nullptr &&
         store.count == all && !store.swap_first;
}

}  // namespace phpc::fft
