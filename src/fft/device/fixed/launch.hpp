#pragma once
#include "fft/device/pass/pass.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// Runs a pass that has fixed_twiddles on a GPU, by the kernel of its length (shapes/*_shapes.hpp), which does not do the
/// factors, counts and half spectra of hooks. Returns false when there is no such kernel, or none for how the transforms lie in
/// memory.
template <class Real>
bool launch_fixed_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out);
template <class Real>
bool launch_fixed_register_capped_rows(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                       const Complex<Real>* in, Complex<Real>* out);
template <class Real>
bool launch_fixed_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                          Complex<Real>* out);
template <class Real>
bool launch_fixed_register_capped_columns(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                          const Complex<Real>* in, Complex<Real>* out);

/// Rows of real numbers, as pairs, to their spectra or back, with hooks that say no more than that.
template <class Real>
bool launch_fixed_real(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                       Complex<Real>* out);

/// Runs a pass of one of the three forms of fused four-step transforms: for each such pass one of both functions has the kernel
/// and returns true. Pairs of real numbers may lie anywhere.
template <class Real, PassForm Form>
bool launch_fixed_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                            Complex<Real>* out);
template <class Real, PassForm Form>
bool launch_fixed_register_capped_four_step(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                            const Complex<Real>* in, Complex<Real>* out);

/// Run passes of the forms PassForm::convolution, rader and fused_four_step_convolution, for which there is always a kernel.
template <class Real>
void launch_fixed_convolution(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                              Complex<Real>* out);
template <class Real>
void launch_fixed_rader(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                        Complex<Real>* out);
template <class Real>
void launch_fixed_four_step_convolution(exec::Device device, const Pass<Real>& pass, const PassWindow& window,
                                        const Complex<Real>* in, Complex<Real>* out);

}  // namespace phpc::fft
