#include "fft/device/general/launch.hpp"

#include <utility>

#include "fft/device/general/classes.hpp"

namespace phpc::fft {

namespace {

template <class Real, std::size_t... I>
void launch_one_of(std::index_sequence<I...> /*classes*/, exec::Device device, const GeneralRows<Real>& plan,
                   const RowsInMemory<Real>& rows) {
  constexpr auto& classes = GeneralClasses<Real>::all;
  static_cast<void>((
      (plan.largest == classes[I].largest ? (launch_general_class<Real, classes[I].largest>(device, plan, rows), true) : false) ||
      ...));
}

}  // namespace

template <class Real>
void launch_general_rows(exec::Device device, const GeneralRows<Real>& plan, const RowsInMemory<Real>& rows) {
  launch_one_of(std::make_index_sequence<std::size(GeneralClasses<Real>::all)>{}, device, plan, rows);
}

template void launch_general_rows(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general_rows(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);

}  // namespace phpc::fft
