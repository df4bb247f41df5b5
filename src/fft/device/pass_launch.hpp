#pragma once
#include <cstdint>
#include <type_traits>

#include "fft/device/fixed/launch.hpp"
#include "fft/device/pass/pass.hpp"
#include "phpc/exec/device.hpp"
#include "phpc/fft/array.hpp"

namespace phpc::fft {

/// An array as a pass sees it, by the real and the imaginary parts of its numbers: that of number `offset` at first[pitch *
/// offset] and second[pitch * offset]. Without a second part numbers are real; with second = first + 1 and a pitch of 2 they are
/// interleaved.
template <class Real>
struct Parts {
  Real* first;
  Real* second;
  index_t pitch;

  /// The same array from number `offset` on.
  [[nodiscard]] Parts from(index_t offset) const {
    return {first + pitch * offset, second == nullptr ? nullptr : second + pitch * offset, pitch};
  }
};

/// Whether numbers are interleaved and aligned so that a complex number can be read as a whole.
template <class Real>
bool are_whole(const Parts<Real>& parts) {
  return parts.pitch == 2 && parts.second == parts.first + 1 &&
         reinterpret_cast<std::uintptr_t>(parts.first) % sizeof(Complex<std::remove_const_t<Real>>) == 0;
}

/// Whether numbers are planar: an array of real parts and one of imaginary parts.
template <class Real>
bool are_planar(const Parts<Real>& parts) {
  return parts.pitch == 1 && parts.second != nullptr;
}

/// Threads of a team of PassKernel.
inline constexpr int pass_team_size = 256;

/// Runs this part of a pass on `device`, not the host, and waits for it: by the kernel that the plan found for the pass's length,
/// where it found one and the arrays and the loops of this call are as that one needs them, else by the kernel for any device.
/// `on_device` is `pass` in the device's memory; `in` and `out` begin where the loops before the window have come to. Real is
/// float or double.
template <class Real>
void launch_pass(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                 const Parts<const Real>& in, const Parts<Real>& out, const FixedKernel<Real>& fixed = {});

/// Makes transforms of 2m real numbers of those of m complex numbers x[2j] + i x[2j + 1], in place, of the lines that the loops
/// of `pass` write, with the table pass.store.r2c_roots. See r2c_postprocessed().
template <class Real>
void launch_r2c_postprocess(exec::Device device, const Pass<Real>& pass, const Pass<Real>* on_device, const PassWindow& window,
                            const Parts<Real>& lines);

}  // namespace phpc::fft
