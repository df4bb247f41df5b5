#include "fft/device/fixed/four_step/launch_relay.hpp"

namespace phpc::fft {

template bool launch_fixed_relay<float, PassForm::relay_to_real>(exec::Device, const Pass<float>&, const PassWindow&,
                                                                 const Complex<float>*, Complex<float>*);

}  // namespace phpc::fft
