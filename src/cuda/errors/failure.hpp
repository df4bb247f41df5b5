#pragma once
#include <exception>
#include <string>

#include "phpc/core/error.hpp"
#include "phpc/cuda/launch_queue.hpp"
#include "phpc/cuda/runtime_types.hpp"

namespace phpc::cuda {

/// An error inside of the library that has a code of CUDA's. `what()` is empty where the code says it all.
using Failure = detail::LaunchError;

/// Throws Failure{code, message}.
[[noreturn]] void refuse(cudaError_t code, const std::string& message = {});

/// Throws Failure{code} unless the condition holds.
inline void require(bool condition, cudaError_t code) {
  if (!condition) [[unlikely]] {
    refuse(code);
  }
}

/// The code for an exception of a call. What its text says beside the code goes to standard error, each text once a process.
cudaError_t code_of(const std::exception_ptr& error) noexcept;

/// The code for an exception of a launch, whose failures on a device have other names.
cudaError_t launch_code_of(const std::exception_ptr& error) noexcept;
/// Runs what launches, and gives its errors a launch's codes.
template <class Launch>
void run_launch(const Launch& launch) {
  try {
    launch();
  } catch (...) {
    refuse(launch_code_of(std::current_exception()));
  }
}

/// Keeps a code other than cudaSuccess as the calling thread's last error, and returns it.
cudaError_t keep_error(cudaError_t code) noexcept;

/// The calling thread's last error; `clear` sets it to cudaSuccess.
cudaError_t last_error(bool clear) noexcept;

/// Runs the body of an API function: what it throws becomes the code that the function answers with, and the last error.
template <class Body>
cudaError_t guarded(const Body& body) noexcept {
  try {
    body();
    return cudaSuccess;
  } catch (...) {
    return keep_error(code_of(std::current_exception()));
  }
}

}  // namespace phpc::cuda
