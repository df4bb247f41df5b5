#include "cuda/errors/failure.hpp"

#include <cstdio>
#include <mutex>
#include <new>
#include <set>

namespace phpc::cuda {

namespace {

thread_local cudaError_t kept_error = cudaSuccess;

void print_once(const std::string& text) {
  static std::mutex mutex;
  static std::set<std::string>& printed = *new std::set<std::string>;  // read until the process ends
  const std::scoped_lock lock(mutex);
  if (!text.empty() && printed.insert(text).second) {
    std::fprintf(stderr, "portable-hpc: %s\n", text.c_str());
  }
}

cudaError_t code_of(const std::exception_ptr& error, cudaError_t of_device, cudaError_t of_memory) noexcept {
  try {
    try {
      std::rethrow_exception(error);
    } catch (const Failure& failure) {
      print_once(failure.what());
      return failure.code();
    } catch (const Error& problem) {
      print_once(problem.what());
      switch (problem.kind()) {
        case ErrorKind::memory:
          return of_memory;
        case ErrorKind::device:
          return of_device;
        case ErrorKind::io:
          return cudaErrorOperatingSystem;
        case ErrorKind::usage:
        case ErrorKind::input:
          return cudaErrorInvalidValue;
      }
    } catch (const std::bad_alloc&) {
      return cudaErrorMemoryAllocation;
    } catch (const std::exception& problem) {
      print_once(problem.what());
    }
  } catch (...) {  // not even memory for the text
  }
  return cudaErrorUnknown;
}

}  // namespace

void refuse(cudaError_t code, const std::string& message) {
  throw Failure(code, message);
}

cudaError_t code_of(const std::exception_ptr& error) noexcept {
  return code_of(error, cudaErrorDevicesUnavailable, cudaErrorMemoryAllocation);
}

cudaError_t launch_code_of(const std::exception_ptr& error) noexcept {
  return code_of(error, cudaErrorLaunchFailure, cudaErrorLaunchOutOfResources);
}

cudaError_t keep_error(cudaError_t code) noexcept {
  if (code != cudaSuccess) {
    kept_error = code;
  }
  return code;
}

cudaError_t last_error(bool clear) noexcept {
  const cudaError_t code = kept_error;
  if (clear) {
    kept_error = cudaSuccess;
  }
  return code;
}

}  // namespace phpc::cuda
