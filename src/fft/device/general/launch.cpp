#include "fft/device/general/launch.hpp"

#include <type_traits>
#include <utility>

#include "fft/device/general/launch_primes.hpp"
#include "fft/device/general/stages/classes.hpp"
#include "fft/device/general/stages/prime_class.hpp"
#include "phpc/core/error.hpp"

namespace phpc::fft {

namespace {

/// Launches the kernel of class I, where that is the plan's.
template <class Real, std::size_t I, class Work>
bool launch_class(exec::Device device, const GeneralRows<Real>& plan, const Work& work) {
  constexpr const GeneralClass& its = GeneralClasses<Real>::all[I];
  if (plan.largest == its.largest) {
    launch_general_class<Real, its.largest>(device, plan, work);
    return true;
  }
  return false;
}

template <class Real, class Work, std::size_t... I>
void launch_one_of(std::index_sequence<I...> /*classes*/, exec::Device device, const GeneralRows<Real>& plan, const Work& work) {
  [[maybe_unused]] const bool is_launched = (launch_class<Real, I>(device, plan, work) || ...);
  PHPC_EXPECT(is_launched);
}

}  // namespace

template <class Real, class Work>
void launch_general(exec::Device device, const GeneralRows<Real>& plan, const Work& work) {
  if constexpr (std::is_same_v<Work, PassInMemory<Real>>) {
    if (plan.largest == most_defined_prime) {
      launch_primes(device, plan, work);
      return;
    }
  }
  launch_one_of(std::make_index_sequence<std::size(GeneralClasses<Real>::all)>{}, device, plan, work);
}

template <class Real, class Work>
void launch_convolution(exec::Device device, const GeneralRows<Real>& plan, const Work& work) {
  constexpr auto& classes = ConvolutionClasses<Real>::all;
  static_assert(std::size(classes) == 2);
  plan.largest == classes[0].largest ? launch_convolution_class<Real, classes[0].largest>(device, plan, work)
                                     : launch_convolution_class<Real, classes[1].largest>(device, plan, work);
}

template void launch_convolution(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_convolution(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);
template void launch_convolution(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_convolution(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_convolution(exec::Device, const GeneralRows<float>&, const RealPassInMemory<float>&);
template void launch_convolution(exec::Device, const GeneralRows<double>&, const RealPassInMemory<double>&);
template void launch_general(exec::Device, const GeneralRows<float>&, const RowsInMemory<float>&);
template void launch_general(exec::Device, const GeneralRows<double>&, const RowsInMemory<double>&);
template void launch_general(exec::Device, const GeneralRows<float>&, const RealRowsInMemory<float>&);
template void launch_general(exec::Device, const GeneralRows<float>&, const PassInMemory<float>&);
template void launch_general(exec::Device, const GeneralRows<double>&, const RealRowsInMemory<double>&);
template void launch_general(exec::Device, const GeneralRows<double>&, const PassInMemory<double>&);
template void launch_general(exec::Device, const GeneralRows<float>&, const PassOfParts<float>&);
template void launch_general(exec::Device, const GeneralRows<double>&, const PassOfParts<double>&);

}  // namespace phpc::fft
