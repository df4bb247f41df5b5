#include "fft/device/fixed/launch.hpp"

#include "fft/device/fixed/loops.hpp"
#include "fft/device/fixed/shapes/column_shapes.hpp"
#include "fft/device/fixed/shapes/real_shapes.hpp"
#include "fft/device/fixed/shapes/row_shapes.hpp"

namespace phpc::fft {

namespace {

/// Whether a kernel of the pass's form, and of its length where there is one, does the pass.
template <class Real>
bool is_for_kernels(const Pass<Real>& pass, const PassWindow& window) {
  switch (pass.form) {
    case PassForm::rows:
      return pass.fixed_twiddles != nullptr && has_plain_hooks(pass) && are_fixed_rows(pass, window);
    case PassForm::columns:
      return pass.fixed_twiddles != nullptr && has_plain_hooks(pass) && pass.store.r2c_roots == nullptr &&
             are_fixed_columns(pass, window);
    case PassForm::rows_from_real:  // their kernels do these hooks themselves
    case PassForm::rows_to_real:
      return pass.fixed_twiddles != nullptr && pass.loop_count - window.first == 1;
    case PassForm::fused_four_step:
    case PassForm::fused_four_step_from_real:
    case PassForm::fused_four_step_to_real:
    case PassForm::fused_last_passes:
      return has_plain_hooks(pass);
    case PassForm::convolution:
    case PassForm::convolution_from_real:
    case PassForm::convolution_to_real:
    case PassForm::convolved_rows:
    case PassForm::fused_four_step_convolution:
      return true;
  }
  return false;
}

template <class Real>
FixedLaunch<Real> first_of(FixedLaunch<Real> first, FixedLaunch<Real> second) {
  return first != nullptr ? first : second;
}

template <class Real, int... Registers>
FixedLaunch<Real> any_rows_launch(index_t length, CapList<Registers...> /*caps*/) {
  FixedLaunch<Real> found = nullptr;
  ((found = first_of(found, rows_launch<Real, Registers>(length))), ...);
  return found;
}

template <class Real, int... Registers>
FixedLaunch<Real> any_columns_launch(index_t length, const PassLoop& columns, CapList<Registers...> /*caps*/) {
  FixedLaunch<Real> found = nullptr;
  ((found = first_of(found, columns_launch<Real, Registers>(length, columns.count, columns.from == 1))), ...);
  return found;
}

template <class Real, PassForm Form, int... Registers>
FixedLaunch<Real> any_real_rows_launch(index_t length, CapList<Registers...> /*caps*/) {
  FixedLaunch<Real> found = nullptr;
  ((found = first_of(found, real_rows_launch<Real, Form, Registers>(length))), ...);
  return found;
}

template <class Real, PassForm Form>
FixedLaunch<Real> any_four_step_launch(index_t length) {
  return first_of(four_step_launch<Real, Form>(length), register_capped_four_step_launch<Real, Form>(length));
}

template <class Real>
FixedLaunch<Real> launch_of(PassForm form, index_t length, const PassLoop& last) {
  switch (form) {
    case PassForm::rows:
      return any_rows_launch<Real>(length, typename FixedRows<Real>::Caps{});
    case PassForm::columns:
      return any_columns_launch<Real>(length, last, typename FixedColumns<Real>::Caps{});
    case PassForm::rows_from_real:
      return any_real_rows_launch<Real, PassForm::rows_from_real>(length, RealRowCaps<Real>{});
    case PassForm::rows_to_real:
      return any_real_rows_launch<Real, PassForm::rows_to_real>(length, RealRowCaps<Real>{});
    case PassForm::convolution:
      return convolution_launch<Real, RowKind::complex>(length);
    case PassForm::convolution_from_real:
      return convolution_launch<Real, RowKind::from_reals>(length);
    case PassForm::convolution_to_real:
      return convolution_launch<Real, RowKind::to_reals>(length);
    case PassForm::convolved_rows:
      return convolved_rows_launch<Real>(length);
    case PassForm::fused_four_step:
      return any_four_step_launch<Real, PassForm::fused_four_step>(length);
    case PassForm::fused_four_step_from_real:
      return any_four_step_launch<Real, PassForm::fused_four_step_from_real>(length);
    case PassForm::fused_four_step_to_real:
      return any_four_step_launch<Real, PassForm::fused_four_step_to_real>(length);
    case PassForm::fused_four_step_convolution:
      return four_step_convolution_launch<Real>(length);
    case PassForm::fused_last_passes:
      return any_four_step_launch<Real, PassForm::fused_last_passes>(length);
  }
  return nullptr;
}

}  // namespace

template <class Real>
FixedKernel<Real> find_fixed_kernel(const Pass<Real>& pass, const PassWindow& window, bool is_whole) {
  const bool needs_whole = pass.form != PassForm::fused_four_step_from_real && pass.form != PassForm::fused_four_step_to_real &&
                           pass.form != PassForm::convolution_from_real && pass.form != PassForm::convolution_to_real;
  if ((needs_whole && !is_whole) || !is_for_kernels(pass, window)) {
    return {};
  }
  return {launch_of<Real>(pass.form, pass.length, fixed_loops(pass, window).inner), needs_whole};
}

template FixedKernel<float> find_fixed_kernel(const Pass<float>&, const PassWindow&, bool);
template FixedKernel<double> find_fixed_kernel(const Pass<double>&, const PassWindow&, bool);

}  // namespace phpc::fft
