#include "cuda/streams/context.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>

#include "cuda/errors/failure.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/unfinished_launches.hpp"

namespace phpc::cuda {

namespace {

thread_local int current_device = 0;

using Contexts = std::vector<std::unique_ptr<Context>>;

/// Waits for all work, which must be done before the run-time libraries of devices end.
void wait_for_all() {
  for (const std::unique_ptr<Context>& context : contexts()) {
    try {
      context->synchronise();
    } catch (const Failure&) {  // nobody is left to be told
    }
  }
}

Contexts* make_contexts() {
  const char* const wanted = std::getenv("PHPC_DEVICE");
  try {
    auto* const made = new Contexts;  // to the end of the process: host threads may outlive main
    for (const exec::Device device : exec::select_devices(wanted != nullptr && *wanted != '\0' ? wanted : "all")) {
      made->push_back(std::make_unique<Context>(static_cast<int>(made->size()), device));
    }
    std::atexit(wait_for_all);
    return made;
  } catch (const Error& error) {
    refuse(cudaErrorNoDevice, (wanted != nullptr ? "PHPC_DEVICE=" + std::string(wanted) + ": " : std::string()) + error.what());
  }
}

/// Codes after which CUDA answers every call with the same one until the device is reset.
bool is_fatal(cudaError_t code) {
  return code == cudaErrorIllegalAddress || code == cudaErrorLaunchTimeout || code == cudaErrorAssert ||
         (code >= cudaErrorHardwareStackError && code <= cudaErrorLaunchFailure);
}

}  // namespace

Context::Context(int number, exec::Device device) : number_(number), device_(device) {
  legacy_ = std::make_unique<Stream>(*this, cudaStreamDefault, 0);
}

const cudaDeviceProp& Context::properties() {
  std::call_once(described_, [&] { properties_ = describe(number_, device_); });
  return properties_;
}

const cudaDeviceProp& Context::launch_limits() {
  return device_.is_gpu() ? properties() : usual_launch_limits();
}

void Context::wait() {
  refuse_at_work();
  std::vector<Dependency> last;
  {
    const std::scoped_lock lock(order_);
    for (const Stream* const stream : streams_) {
      require(stream->capture_in_order() == nullptr, cudaErrorStreamCaptureUnsupported);
      last.push_back({stream->progress(), stream->progress()->taken()});
    }
  }
  for (const Dependency& one : last) {
    one.wait();
  }
}

void Context::synchronise() {
  wait();
  report_errors();
}

void Context::require_health() const {
  require(failure_ == cudaSuccess, failure_);
}

void Context::report_errors() {
  require_health();
  const cudaError_t pending = pending_.exchange(cudaSuccess);
  require(pending == cudaSuccess, pending);
}

void Context::note(cudaError_t code) {
  cudaError_t none = cudaSuccess;
  (is_fatal(code) ? failure_ : pending_).compare_exchange_strong(none, code);
}

void Context::note_failure(cudaError_t code) {
  if (is_fatal(code)) {
    note(code);
  }
}

void Context::clear_errors() {
  failure_ = cudaSuccess;
  pending_ = cudaSuccess;
}

void Context::add(Stream* stream) {
  streams_.push_back(stream);
}

void Context::remove(Stream* stream) {
  streams_.erase(std::remove(streams_.begin(), streams_.end(), stream), streams_.end());
}

const Contexts& contexts() {
  static const Contexts* const all = make_contexts();  // tried again by the next call when it throws
  return *all;
}

Context& context_of(int number) {
  const Contexts& all = contexts();
  require(number >= 0 && number < static_cast<int>(all.size()), cudaErrorInvalidDevice);
  return *all[static_cast<std::size_t>(number)];
}

Context& current_context() {
  return context_of(current_device);
}

/// Does on a GPU what its first launch would do otherwise: 1.8 ms on an H200, which a program that times a kernel would count.
void Context::prepare() {
  std::call_once(prepared_, [&] {
    if (!device_.is_host() && before_use != nullptr) {
      before_use(*this);
    }
    if (device_.is_gpu()) {
      static_cast<void>(properties());
      legacy_->enqueue_launches([device = device_] { exec::prepare_launches(device); });
    }
  });
}

Context& healthy_context() {
  Context& context = current_context();
  context.prepare();
  context.require_health();
  return context;
}

void set_current(int number) {
  current_device = context_of(number).number();
}

}  // namespace phpc::cuda
