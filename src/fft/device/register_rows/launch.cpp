#include "fft/device/register_rows/launch.hpp"

namespace phpc::fft {

namespace {

template <RowKind Numbers, class Real>
void launch_class(exec::Device device, unsigned length, const RegisterRowsInMemory<Real>& rows) {
  switch (register_row_class<Real>(Numbers, length)) {
    case 0:
      launch_register_row_class<Real, 0, Numbers>(device, length, rows);
      break;
    case 1:
      launch_register_row_class<Real, 1, Numbers>(device, length, rows);
      break;
    case 2:
      launch_register_row_class<Real, 2, Numbers>(device, length, rows);
      break;
    default:
      launch_register_row_class<Real, 3, Numbers>(device, length, rows);
  }
}

}  // namespace

template <class Real>
void launch_register_rows(exec::Device device, const RegisterRows& plan, const RegisterRowsInMemory<Real>& rows) {
  switch (plan.numbers) {
    case RowKind::complex:
      launch_class<RowKind::complex>(device, plan.length, rows);
      break;
    case RowKind::from_reals:
      launch_class<RowKind::from_reals>(device, plan.length, rows);
      break;
    default:
      launch_class<RowKind::to_reals>(device, plan.length, rows);
  }
}

template void launch_register_rows<float>(exec::Device, const RegisterRows&, const RegisterRowsInMemory<float>&);
template void launch_register_rows<double>(exec::Device, const RegisterRows&, const RegisterRowsInMemory<double>&);

}  // namespace phpc::fft
