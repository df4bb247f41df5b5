#include "batch/mixed/chunks_launch_impl.hpp"
#include "batch/solver/cg.hpp"

namespace phpc::batch {

template void launch_mixed_chunks<ConjugateGradients, 255>(exec::Device, std::string_view, const RegisterShape&,
                                                           const RegisterJob<double>&);

}  // namespace phpc::batch
