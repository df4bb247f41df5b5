#pragma once
#include "fft/device/pass/pass.hpp"
#include "fft/lines/row_kind.hpp"
#include "phpc/exec/device.hpp"

namespace phpc::fft {

/// Runs a part of a pass on a GPU by the kernel of one shape (shapes/*_shapes.hpp), for which the pass has the tables.
template <class Real>
using FixedLaunch = void (*)(exec::Device device, const Pass<Real>& pass, const PassWindow& window, const Complex<Real>* in,
                             Complex<Real>* out);

/// The kernel of a pass's form and length, as a plan keeps it.
template <class Real>
struct FixedKernel {
  FixedLaunch<Real> launch = nullptr;  ///< nullptr: there is none
  /// Both arrays have to hold complex numbers aligned as a whole; otherwise pairs of real numbers may lie anywhere.
  bool needs_whole = true;
};

/// Returns the kernel that does a pass with the loops of `window`, of how the pass's transforms lie in memory and of its hooks;
/// none where a length has no kernel, or none that does these. is_whole: both arrays hold interleaved complex numbers.
template <class Real>
FixedKernel<Real> find_fixed_kernel(const Pass<Real>& pass, const PassWindow& window, bool is_whole);

/// Return the launch of the shape of a length in one of the tables; nullptr where the table has none. Each is defined in a source
/// of its own: those of a cap on registers (row_shapes.hpp) apart from others.
template <class Real, int Registers>
FixedLaunch<Real> rows_launch(index_t length);
/// Rows of real numbers, as pairs, to their spectra or back.
template <class Real, PassForm Form, int Registers>
FixedLaunch<Real> real_rows_launch(index_t length);
/// Columns, so many of which are neighbours; of those with a share none where a team would have room for more than twice as many.
/// reads_columns: they lie side by side where they are read too, not one after another.
template <class Real, int Registers>
FixedLaunch<Real> columns_launch(index_t length, index_t neighbours, bool reads_columns);
/// One of the three forms of fused four-step transforms.
template <class Real, PassForm Form>
FixedLaunch<Real> four_step_launch(index_t length);
template <class Real, PassForm Form>
FixedLaunch<Real> register_capped_four_step_launch(index_t length);
template <class Real, RowKind Kind>
FixedLaunch<Real> convolution_launch(index_t length);
template <class Real>
FixedLaunch<Real> convolved_rows_launch(index_t length);
template <class Real>
FixedLaunch<Real> four_step_convolution_launch(index_t length);

}  // namespace phpc::fft
