#include "batch/solver/cg.hpp"

#include "batch/registers/launch_impl.hpp"

namespace phpc::batch {

template void launch_registers<double, ConjugateGradients, 0>(exec::Device, std::string_view, const RegisterShape&,
                                                              const RegisterJob<double>&);

}  // namespace phpc::batch
