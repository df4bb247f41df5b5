// The calls that tell the last error.
#include "cuda/errors/failure.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/runtime_api.hpp"

namespace phpc::cuda {
namespace {

/// The thread's last error, or the failure of a kernel on its device, which no call clears.
cudaError_t any_error(bool clear) noexcept {
  const cudaError_t kept = last_error(clear);
  if (kept != cudaSuccess) {
    return kept;
  }
  try {
    return current_context().failure();
  } catch (...) {
    return code_of(std::current_exception());
  }
}

}  // namespace
}  // namespace phpc::cuda

cudaError_t cudaGetLastError() {
  return phpc::cuda::any_error(true);
}

cudaError_t cudaPeekAtLastError() {
  return phpc::cuda::any_error(false);
}
