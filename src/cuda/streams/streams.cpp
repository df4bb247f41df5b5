// The calls about streams.
#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "cuda/errors/failure.hpp"
#include "cuda/streams/context.hpp"
#include "cuda/streams/stream.hpp"
#include "phpc/cuda/runtime_api.hpp"

/// A stream that a program made.
struct CUstream_st {
  CUstream_st(phpc::cuda::Context& context, unsigned flags, int priority) : stream(context, flags, priority) {}
  phpc::cuda::Stream stream;
};

namespace phpc::cuda {

namespace {

/// The streams that a program has, to tell a wrong handle from a right one.
struct Handles {
  std::mutex mutex;
  std::set<cudaStream_t> all;

  static Handles& get() {
    static Handles& handles = *new Handles;  // to the end of the process
    return handles;
  }
};

/// The calling thread's own stream of the current device.
Stream& thread_stream() {
  thread_local std::map<Context*, std::unique_ptr<Stream>> streams;
  Context& context = current_context();
  std::unique_ptr<Stream>& stream = streams[&context];
  if (stream == nullptr) {
    stream = std::make_unique<Stream>(context, cudaStreamDefault, 0);
  }
  return *stream;
}

constexpr int greatest_priority = -5;

/// Whether it is a handle of a stream made by a program, not one of the default streams.
bool is_made(cudaStream_t handle) {
  return handle != nullptr && handle != cudaStreamLegacy && handle != cudaStreamPerThread;
}

}  // namespace

Stream& stream_of(cudaStream_t handle) {
  if (handle == nullptr || handle == cudaStreamLegacy) {
    return current_context().legacy();
  }
  if (handle == cudaStreamPerThread) {
    return thread_stream();
  }
  Handles& handles = Handles::get();
  const std::scoped_lock lock(handles.mutex);
  require(handles.all.contains(handle), cudaErrorInvalidResourceHandle);
  return handle->stream;
}

}  // namespace phpc::cuda

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
  return cudaStreamCreateWithPriority(stream, cudaStreamDefault, 0);
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int priority) {
  return guarded([&] {
    require(stream != nullptr && (flags & ~cudaStreamNonBlocking) == 0, cudaErrorInvalidValue);
    const int within = priority > 0 ? 0 : priority < greatest_priority ? greatest_priority : priority;
    auto made = std::make_unique<CUstream_st>(healthy_context(), flags, within);
    Handles& handles = Handles::get();
    const std::scoped_lock lock(handles.mutex);
    handles.all.insert(made.get());
    *stream = made.release();
  });
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  return guarded([&] {
    require(is_made(stream), cudaErrorInvalidResourceHandle);
    {
      Handles& handles = Handles::get();
      const std::scoped_lock lock(handles.mutex);
      require(handles.all.erase(stream) == 1, cudaErrorInvalidResourceHandle);
    }
    const std::unique_ptr<CUstream_st> last(stream);
  });
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  return guarded([&] {
    Stream& one = stream_of(stream);
    one.wait();
    one.context().report_errors();
  });
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
  return guarded([&] {
    Stream& one = stream_of(stream);
    one.context().require_health();
    require(one.is_idle(), cudaErrorNotReady);
    one.context().report_errors();
  });
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* user_data) {
  return guarded([&] {
    require(function != nullptr, cudaErrorInvalidValue);
    stream_of(stream).enqueue([=] { function(user_data); });
  });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void* user_data, unsigned int flags) {
  return guarded([&] {
    require(callback != nullptr && flags == 0, cudaErrorInvalidValue);
    Stream& one = stream_of(stream);
    require(one.capture() == nullptr, cudaErrorStreamCaptureUnsupported);
    // Unlike a host function, it is called with the error where a kernel has failed.
    one.mark([=, context = &one.context()] { callback(stream, context->failure(), user_data); });
  });
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int* flags) {
  return guarded([&] {
    require(flags != nullptr, cudaErrorInvalidValue);
    *flags = stream_of(stream).flags();
  });
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int* priority) {
  return guarded([&] {
    require(priority != nullptr, cudaErrorInvalidValue);
    *priority = stream_of(stream).priority();
  });
}

cudaError_t cudaStreamGetDevice(cudaStream_t stream, int* device) {
  return guarded([&] {
    require(device != nullptr, cudaErrorInvalidValue);
    *device = stream_of(stream).context().number();
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
  return guarded([&] {
    if (least != nullptr) {
      *least = 0;
    }
    if (greatest != nullptr) {
      *greatest = greatest_priority;
    }
  });
}

// NOLINTEND(readability-identifier-naming)
