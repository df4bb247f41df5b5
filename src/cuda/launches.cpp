// The functions that launch kernels, and the calls about how they are to be launched.
#include <algorithm>
#include <cstdint>
#include <exception>
#include <utility>

#include "cuda/errors/failure.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/launch_queue.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::cuda::detail {

bool check_launch(const Grid& grid, int max_threads) {
  return guarded([&] {
           Context& context = healthy_context();
           const cudaDeviceProp& device = context.launch_limits();
           const unsigned blocks[] = {grid.grid.x, grid.grid.y, grid.grid.z};
           const unsigned threads[] = {grid.block.x, grid.block.y, grid.block.z};
           std::uint64_t all_threads = 1;
           for (int i = 0; i < 3; ++i) {
             require(blocks[i] > 0 && blocks[i] <= static_cast<unsigned>(device.maxGridSize[i]), cudaErrorInvalidConfiguration);
             require(threads[i] > 0 && threads[i] <= static_cast<unsigned>(device.maxThreadsDim[i]),
                     cudaErrorInvalidConfiguration);
             all_threads *= threads[i];
           }
           require(all_threads <= static_cast<std::uint64_t>(device.maxThreadsPerBlock), cudaErrorInvalidConfiguration);
           require(max_threads <= 0 || all_threads <= static_cast<std::uint64_t>(max_threads), cudaErrorLaunchOutOfResources);
           require(grid.shared_bytes <= device.sharedMemPerBlockOptin, cudaErrorInvalidValue);
           require(&stream_of(grid.stream).context() == &context, cudaErrorInvalidResourceHandle);
         }) == cudaSuccess;
}

namespace {

/// Runs what launches, and gives its errors a launch's codes.
template <class Launch>
void run_launch(const Launch& launch) {
  try {
    launch();
  } catch (...) {
    refuse(launch_code_of(std::current_exception()));
  }
}

}  // namespace

void enqueue_launch(const Grid& grid, const LaunchWork& work) {
  guarded([&] {
    Stream& stream = stream_of(grid.stream);
    const exec::Device device = stream.context().device();
    const auto now = [&] { run_launch([&] { work.run(work.work, device); }); };
    stream.enqueue_launches(
        WorkInPlace(now, [&]() -> Work { return [device, copy = work.copy(work.work)] { run_launch([&] { copy(device); }); }; }));
  });
}

RemoteParameters::RemoteParameters(exec::Device device, const void* parameters, std::size_t bytes)
    : device_(device), memory_(Stream::parameter_memory(bytes)), is_own_(memory_ == nullptr) {
  if (is_own_) {
    memory_ = exec::allocate_bytes(device_, bytes);
  }
  try {
    exec::copy_bytes(device_, memory_, exec::Device::host(), parameters, bytes);
  } catch (...) {
    release();
    throw;
  }
}

RemoteParameters::~RemoteParameters() {
  release();
}

void RemoteParameters::release() noexcept {
  if (is_own_) {
    exec::free_bytes(device_, memory_);
  }
}

cudaError_t function_attributes(cudaFuncAttributes* attributes) {
  return guarded([&] {
    require(attributes != nullptr, cudaErrorInvalidValue);
    const cudaDeviceProp& device = healthy_context().properties();
    *attributes = {};
    attributes->maxThreadsPerBlock = device.maxThreadsPerBlock;
    attributes->numRegs = 32;
    attributes->ptxVersion = 10 * device.major + device.minor;
    attributes->binaryVersion = attributes->ptxVersion;
    attributes->maxDynamicSharedSizeBytes = static_cast<int>(device.sharedMemPerBlock);
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
  });
}

cudaError_t set_function_attribute(cudaFuncAttribute attribute, int value) {
  return guarded([&] {
    require(attribute >= cudaFuncAttributeMaxDynamicSharedMemorySize && attribute < cudaFuncAttributeMax, cudaErrorInvalidValue);
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize) {
      require(value >= 0 && static_cast<std::size_t>(value) <= healthy_context().properties().sharedMemPerBlockOptin,
              cudaErrorInvalidValue);
    }
  });
}

cudaError_t active_blocks(int* blocks, int block_size, std::size_t dynamic_shared_bytes) {
  return guarded([&] {
    const cudaDeviceProp& device = healthy_context().properties();
    require(blocks != nullptr && block_size > 0, cudaErrorInvalidValue);
    const int warps = (block_size + device.warpSize - 1) / device.warpSize;
    int fitting = std::min(device.maxThreadsPerMultiProcessor / (warps * device.warpSize), device.maxBlocksPerMultiProcessor);
    if (dynamic_shared_bytes > 0) {
      fitting = static_cast<int>(
          std::min<std::size_t>(static_cast<std::size_t>(fitting), device.sharedMemPerMultiprocessor / dynamic_shared_bytes));
    }
    *blocks = block_size > device.maxThreadsPerBlock || dynamic_shared_bytes > device.sharedMemPerBlockOptin ? 0 : fitting;
  });
}

cudaError_t potential_block_size(int* min_grid_size, int* block_size, int block_size_limit) {
  return guarded([&] {
    constexpr int usual = 256;
    constexpr int blocks_of_processor = 2;
    require(min_grid_size != nullptr && block_size != nullptr, cudaErrorInvalidValue);
    const cudaDeviceProp& device = healthy_context().properties();
    const int most = std::min(usual, device.maxThreadsPerBlock);
    *block_size = block_size_limit > 0 ? std::min(most, block_size_limit) : most;
    *min_grid_size = blocks_of_processor * device.multiProcessorCount;
  });
}

}  // namespace phpc::cuda::detail
