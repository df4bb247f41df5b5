// The calls about graphs: a capture keeps the work that streams are given, and a launch does it again in that order.
#include <memory>
#include <utility>

#include "cuda/errors/failure.hpp"
#include "cuda/streams/capture.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/runtime_api.hpp"

/// A graph: the work that was captured.
struct CUgraph_st {
  std::shared_ptr<phpc::cuda::Capture> capture;
};

/// A graph that can be launched; it may outlive the one that it was made of.
struct CUgraphExec_st {
  std::shared_ptr<phpc::cuda::Capture> capture;
};

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, cudaStreamCaptureMode /*mode*/) {
  return guarded([&] {
    require(stream != nullptr && stream != cudaStreamLegacy, cudaErrorStreamCaptureUnsupported);
    Stream& one = stream_of(stream);
    require(one.capture() == nullptr, cudaErrorIllegalState);
    one.context().require_health();
    one.set_capture(std::make_shared<Capture>(one));
  });
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t* graph) {
  return guarded([&] {
    require(graph != nullptr, cudaErrorInvalidValue);
    *graph = nullptr;
    Stream& one = stream_of(stream);
    const std::shared_ptr<Capture> capture = one.capture();
    require(capture != nullptr, cudaErrorIllegalState);
    require(&capture->origin() == &one, cudaErrorStreamCaptureUnmatched);
    for (const std::unique_ptr<Context>& context : contexts()) {
      const std::scoped_lock lock(context->order());
      for (Stream* const other : context->streams()) {
        other->leave_in_order(*capture);
      }
    }
    capture->end();
    require(capture->is_valid(), cudaErrorStreamCaptureInvalidated);
    *graph = new CUgraph_st{capture};
  });
}

cudaError_t cudaStreamIsCapturing(cudaStream_t stream, cudaStreamCaptureStatus* status) {
  return guarded([&] {
    require(status != nullptr, cudaErrorInvalidValue);
    const std::shared_ptr<Capture> capture = stream_of(stream).capture();
    *status = capture == nullptr    ? cudaStreamCaptureStatusNone
              : capture->is_valid() ? cudaStreamCaptureStatusActive
                                    : cudaStreamCaptureStatusInvalidated;
  });
}

cudaError_t cudaThreadExchangeStreamCaptureMode(cudaStreamCaptureMode* mode) {
  return guarded([&] {
    require(mode != nullptr, cudaErrorInvalidValue);
    thread_local cudaStreamCaptureMode current = cudaStreamCaptureModeGlobal;
    std::swap(current, *mode);
  });
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long /*flags*/) {
  return guarded([&] {
    require(executable != nullptr && graph != nullptr, cudaErrorInvalidValue);
    *executable = new CUgraphExec_st{graph->capture};
  });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
  return cudaGraphInstantiate(executable, graph, flags);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t* error_node, char* log,
                                 std::size_t log_bytes) {
  if (error_node != nullptr) {
    *error_node = nullptr;
  }
  if (log != nullptr && log_bytes > 0) {
    *log = '\0';
  }
  return cudaGraphInstantiate(executable, graph, 0ull);
}

cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
  return guarded([&] {
    require(executable != nullptr, cudaErrorInvalidValue);
    stream_of(stream);
  });
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t executable, cudaStream_t stream) {
  return guarded([&] {
    require(executable != nullptr, cudaErrorInvalidValue);
    Stream& one = stream_of(stream);
    one.context().require_health();
    one.enqueue([capture = executable->capture] {
      for (const Work& work : capture->work()) {
        if (work) {
          work();
        }
      }
    });
  });
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t executable) {
  return guarded([&] {
    require(executable != nullptr, cudaErrorInvalidValue);
    delete executable;
  });
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph) {
  return guarded([&] {
    require(graph != nullptr, cudaErrorInvalidValue);
    delete graph;
  });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, std::size_t* count) {
  return guarded([&] {
    require(graph != nullptr && count != nullptr, cudaErrorInvalidValue);
    require(nodes == nullptr, cudaErrorNotSupported);  // only their number is known
    *count = graph->capture->work().size();
  });
}

// NOLINTEND(readability-identifier-naming)
