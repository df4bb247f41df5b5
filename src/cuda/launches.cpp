// The functions that launch kernels, and the calls about how they are to be launched.
#include <algorithm>
#include <cstdint>
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

cudaError_t function_attributes(cudaFuncAttributes* attributes, const KernelAttributes& kernel) {
  return guarded([&] {
    require(attributes != nullptr, cudaErrorInvalidValue);
    const cudaDeviceProp& device = healthy_context().properties();
    *attributes = {};
    attributes->sharedSizeBytes = kernel.shared_bytes;
    attributes->maxThreadsPerBlock = std::min(device.maxThreadsPerBlock, kernel.most_threads);
    attributes->numRegs = 32;
    attributes->ptxVersion = 10 * device.major + device.minor;
    attributes->binaryVersion = attributes->ptxVersion;
    attributes->maxDynamicSharedSizeBytes =
        static_cast<int>(device.sharedMemPerBlock - std::min(device.sharedMemPerBlock, kernel.shared_bytes));
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

namespace {

/// Blocks of a kernel that one multiprocessor has room for at a time, by their threads and their shared memory.
int fitting_blocks(const cudaDeviceProp& device, const KernelAttributes& kernel, int threads, std::size_t dynamic_shared_bytes) {
  const std::size_t shared_bytes = kernel.shared_bytes + dynamic_shared_bytes;
  if (threads > std::min(device.maxThreadsPerBlock, kernel.most_threads) || shared_bytes > device.sharedMemPerBlockOptin) {
    return 0;
  }
  const int warps = (threads + device.warpSize - 1) / device.warpSize;
  const int by_threads =
      std::min(device.maxThreadsPerMultiProcessor / (warps * device.warpSize), device.maxBlocksPerMultiProcessor);
  const std::size_t bytes_of_block = shared_bytes + device.reservedSharedMemPerBlock;
  return shared_bytes == 0 ? by_threads
                           : static_cast<int>(std::min<std::size_t>(static_cast<std::size_t>(by_threads),
                                                                    device.sharedMemPerMultiprocessor / bytes_of_block));
}

}  // namespace

cudaError_t active_blocks(int* blocks, const KernelAttributes& kernel, int block_size, std::size_t dynamic_shared_bytes) {
  return guarded([&] {
    const cudaDeviceProp& device = healthy_context().properties();
    require(blocks != nullptr && block_size > 0, cudaErrorInvalidValue);
    *blocks = fitting_blocks(device, kernel, block_size, dynamic_shared_bytes);
  });
}

cudaError_t potential_block_size(int* min_grid_size, int* block_size, const KernelAttributes& kernel, int limit,
                                 std::size_t (*dynamic_shared_bytes)(const void* of, int threads), const void* of) {
  return guarded([&] {
    constexpr int usual = 256;
    constexpr int usual_blocks = 2;
    require(min_grid_size != nullptr && block_size != nullptr, cudaErrorInvalidValue);
    const cudaDeviceProp& device = healthy_context().properties();
    int threads = std::min({usual, device.maxThreadsPerBlock, kernel.most_threads, limit > 0 ? limit : usual});
    int blocks = fitting_blocks(device, kernel, threads, dynamic_shared_bytes(of, threads));
    while (blocks == 0 && threads > device.warpSize) {
      threads = std::max(threads / 2, device.warpSize);
      blocks = fitting_blocks(device, kernel, threads, dynamic_shared_bytes(of, threads));
    }
    require(blocks > 0, cudaErrorInvalidValue);
    *block_size = threads;
    *min_grid_size = std::min(blocks, usual_blocks) * device.multiProcessorCount;
  });
}

}  // namespace phpc::cuda::detail
