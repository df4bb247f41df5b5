#include "batch/registers/launch_impl.hpp"
#include "batch/solver/cg.hpp"

namespace phpc::batch {

template void launch_registers<double, ConjugateGradients, capped_registers>(exec::Device, std::string_view, const RegisterShape&,
                                                                             const RegisterJob<double>&);

}  // namespace phpc::batch
