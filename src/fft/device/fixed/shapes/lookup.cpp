#include "fft/device/fixed/shapes/lookup.hpp"

#include <iterator>

namespace phpc::fft {

template <class Real>
std::vector<int> fixed_radices(PassForm form, index_t length, std::size_t scratch) {
  std::vector<int> radices;
  const auto take = [&](auto shape) {
    if (scratch_bytes_of<Real, decltype(shape)>() <= scratch) {
      radices.assign(std::begin(shape.radix), std::end(shape.radix));
    }
  };
  if (form == PassForm::columns) {
    with_shape(length, typename FixedColumns<Real>::Shapes{}, take);
  } else if (form == PassForm::rows_from_real) {
    with_shape(length, RealRowsOf<Real, PassForm::rows_from_real>{}, take);
  } else if (form == PassForm::rows_to_real) {
    with_shape(length, RealRowsOf<Real, PassForm::rows_to_real>{}, take);
  } else if (form == PassForm::convolution || form == PassForm::convolution_from_real || form == PassForm::convolution_to_real) {
    with_shape(length, typename FixedConvolutions<Real>::Shapes{}, take);
  } else if (form == PassForm::convolved_rows) {
    with_shape(length, typename FixedConvolvedRows<Real>::Shapes{}, take);
  } else {
    with_shape(length, typename FixedRows<Real>::Shapes{}, take);
  }
  return radices;
}

template <class Real>
bool has_fused_four_step(PassForm form, index_t length, std::size_t scratch) {
  bool fits = false;
  with_four_step<Real>(form, length, [&](auto shape) { fits = scratch_bytes_of<Real, decltype(shape)>() <= scratch; });
  return fits;
}

template std::vector<int> fixed_radices<float>(PassForm, index_t, std::size_t);
template bool has_fused_four_step<float>(PassForm, index_t, std::size_t);
template std::vector<int> fixed_radices<double>(PassForm, index_t, std::size_t);
template bool has_fused_four_step<double>(PassForm, index_t, std::size_t);

}  // namespace phpc::fft
