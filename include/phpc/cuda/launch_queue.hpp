#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <utility>

#include "phpc/core/error.hpp"
#include "phpc/cuda/runtime_types.hpp"
#include "phpc/exec/device.hpp"

/// What the kernel launcher asks of the run-time API. Not for the parsing of CUDA sources.
namespace phpc::cuda {

/// What `<<<grid, block, shared_bytes, stream>>>` says.
struct Grid {
  dim3 grid;
  dim3 block;
  std::size_t shared_bytes = 0;  ///< dynamic shared memory of a block
  cudaStream_t stream = nullptr;

  template <class GridSize, class BlockSize>
  Grid(const GridSize& grid_size, const BlockSize& block_size, std::size_t bytes = 0, cudaStream_t in = nullptr)
      : grid(grid_size), block(block_size), shared_bytes(bytes), stream(in) {}
  Grid(dim3 grid_size, dim3 block_size, std::size_t bytes = 0, cudaStream_t in = nullptr)
      : grid(grid_size), block(block_size), shared_bytes(bytes), stream(in) {}
};

namespace detail {

/// What a launch throws that knows CUDA's code for its failure: cudaErrorAssert, for instance. Other errors of a launch are
/// cudaErrorLaunchFailure (of a device) or cudaErrorLaunchOutOfResources (no memory for it).
class LaunchError : public Error {
 public:
  LaunchError(cudaError_t code, const std::string& message) : Error(ErrorKind::device, message), code_(code) {}
  [[nodiscard]] cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

/// Checks a configuration against the current device: dimensions of zero, too many threads (more than `max_threads` or than the
/// device takes), too large a grid, too much shared memory, a stream that is none. Returns false where it is wrong, and keeps
/// the code for cudaGetLastError: cudaErrorInvalidConfiguration, cudaErrorInvalidValue (shared memory),
/// cudaErrorLaunchOutOfResources (more than `max_threads` of the kernel), cudaErrorInvalidResourceHandle.
bool check_launch(const Grid& grid, int max_threads);

/// A caller's work, which is run where it is, or copied to be run later: most launches are issued at once, by the calling thread.
struct LaunchWork {
  const void* work;
  void (*run)(const void* work, exec::Device device);
  std::function<void(exec::Device)> (*copy)(const void* work);
};
void enqueue_launch(const Grid& grid, const LaunchWork& work);

/// Runs `work`, which does nothing but launch, on the current device in the order of the stream: at once on the host, else
/// without waiting for what it launches, in a thread of the library's or in this one. What it throws becomes an error of the
/// device: one that stays (a failed kernel), or one that the next call that waits answers with (no memory). In a capture it is
/// recorded instead, and runs at each launch of the graph.
template <class Work>
void enqueue_launch(const Grid& grid, const Work& work) {
  enqueue_launch(
      grid, LaunchWork{.work = &work,
                       .run = [](const void* at, exec::Device device) { (*static_cast<const Work*>(at))(device); },
                       .copy = [](const void* at) { return std::function<void(exec::Device)>(*static_cast<const Work*>(at)); }});
}

/// What a kernel is given in memory of a device: of the stream in whose lane the calling thread issues the launch, where it lies
/// until the stream's next such launch, else its own, and its end waits for the launch.
class RemoteParameters {
 public:
  RemoteParameters(exec::Device device, const void* parameters, std::size_t bytes);
  RemoteParameters(const RemoteParameters&) = delete;
  RemoteParameters& operator=(const RemoteParameters&) = delete;
  ~RemoteParameters();
  [[nodiscard]] void* get() const { return memory_; }

 private:
  void release() noexcept;

  exec::Device device_;
  void* memory_;
  bool is_own_;
};

}  // namespace detail
}  // namespace phpc::cuda
