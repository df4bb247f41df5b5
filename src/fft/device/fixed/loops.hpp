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

/// Sets the loops of a window; returns false when there are more than three.
template <class Real>
bool find_loops(const Pass<Real>& pass, const PassWindow& window, FixedLoops& loops) {
  PassLoop* const slots[] = {&loops.inner, &loops.middle, &loops.outer};
  const int count = pass.loop_count - window.first;
  for (int index = 0; index < count && index < 3; ++index) {
    const int loop = pass.loop_count - 1 - index;
    *slots[index] = pass.loops[loop];
    slots[index]->count = window.count(pass, loop);
  }
  return count <= 3;
}

/// Whether transforms are contiguous, with one loop over them.
template <class Real>
bool are_fixed_rows(const Pass<Real>& pass, const PassWindow& window, FixedLoops& loops) {
  return find_loops(pass, window, loops) && loops.middle.count * loops.outer.count == 1 && pass.from_step == 1 &&
         pass.to_step == 1;
}

/// Whether transforms lie side by side where they are written, and side by side or contiguous where they are read.
template <class Real>
bool are_fixed_columns(const Pass<Real>& pass, const PassWindow& window, FixedLoops& loops) {
  return find_loops(pass, window, loops) && loops.inner.to == 1 && (loops.inner.from == 1 || pass.from_step == 1) &&
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

/// Whether a kernel of the pass's length runs it. `is_whole`: see are_whole().
template <class Real>
bool takes_fixed_kernel(const Pass<Real>& pass, const PassWindow& window, bool is_whole) {
  FixedLoops loops;
  switch (pass.form) {
    case PassForm::rows:
      return pass.fixed_twiddles != nullptr && is_whole && has_plain_hooks(pass) && are_fixed_rows(pass, window, loops);
    case PassForm::columns:
      return pass.fixed_twiddles != nullptr && is_whole && has_plain_hooks(pass) && pass.store.r2c_roots == nullptr &&
             are_fixed_columns(pass, window, loops);
    case PassForm::rows_from_real:  // their kernels do these hooks themselves
    case PassForm::rows_to_real:
      return pass.fixed_twiddles != nullptr && is_whole && pass.loop_count - window.first == 1;
    case PassForm::rader:
    case PassForm::fused_four_step:
      return is_whole && has_plain_hooks(pass);
    case PassForm::fused_four_step_from_real:  // their kernels read pairs that are not aligned as a whole too
    case PassForm::fused_four_step_to_real:
      return has_plain_hooks(pass);
    case PassForm::convolution:
    case PassForm::fused_four_step_convolution:
      return is_whole;
  }
  return false;
}

}  // namespace phpc::fft
