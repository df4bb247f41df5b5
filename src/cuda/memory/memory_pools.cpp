// The calls about memory pools. Pools keep nothing: memory comes from the device and goes back to it.
#include <cstdint>
#include <map>
#include <mutex>

#include "cuda/errors/failure.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/runtime_api.hpp"

/// A pool: the device, and what a program has set.
struct CUmemPoolHandle_st {
  int device = 0;
  std::mutex mutex;
  std::map<cudaMemPoolAttr, std::uint64_t> attributes;
};

namespace phpc::cuda {
namespace {

CUmemPoolHandle_st* default_pool(int device) {
  static std::mutex mutex;
  static std::map<int, CUmemPoolHandle_st>& pools = *new std::map<int, CUmemPoolHandle_st>;  // to the end of the process
  const int number = context_of(device).number();
  const std::scoped_lock lock(mutex);
  CUmemPoolHandle_st& pool = pools[number];
  pool.device = number;
  return &pool;
}

/// Whether an attribute is an int: the first three are, the others are cuuint64_t.
bool is_int(cudaMemPoolAttr attribute) {
  return attribute <= cudaMemPoolReuseAllowInternalDependencies;
}

}  // namespace
}  // namespace phpc::cuda

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return guarded([&] {
    require(pool != nullptr, cudaErrorInvalidValue);
    *pool = default_pool(device);
  });
}

cudaError_t cudaDeviceGetMemPool(cudaMemPool_t* pool, int device) {
  return cudaDeviceGetDefaultMemPool(pool, device);
}

cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
  return guarded([&] {
    require(pool != nullptr, cudaErrorInvalidValue);
    context_of(device);
  });
}

cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, const cudaMemPoolProps* properties) {
  return guarded([&] {
    require(pool != nullptr && properties != nullptr, cudaErrorInvalidValue);
    const int device = properties->location.type == cudaMemLocationTypeDevice ? context_of(properties->location.id).number()
                                                                              : current_context().number();
    auto* const made = new CUmemPoolHandle_st;
    made->device = device;
    *pool = made;
  });
}

cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
  return guarded([&] {
    require(pool != nullptr && pool != default_pool(pool->device), cudaErrorInvalidValue);
    delete pool;
  });
}

cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return guarded([&] {
    require(pool != nullptr && value != nullptr, cudaErrorInvalidValue);
    const std::scoped_lock lock(pool->mutex);
    pool->attributes[attribute] = is_int(attribute) ? static_cast<std::uint64_t>(*static_cast<const int*>(value))
                                                    : *static_cast<const std::uint64_t*>(value);
  });
}

cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, cudaMemPoolAttr attribute, void* value) {
  return guarded([&] {
    require(pool != nullptr && value != nullptr, cudaErrorInvalidValue);
    const std::scoped_lock lock(pool->mutex);
    const std::uint64_t set = pool->attributes[attribute];
    if (is_int(attribute)) {
      *static_cast<int*>(value) = static_cast<int>(set);
    } else {
      *static_cast<std::uint64_t*>(value) = set;
    }
  });
}

cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, std::size_t /*bytes_to_keep*/) {
  return guarded([&] { require(pool != nullptr, cudaErrorInvalidValue); });
}

cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t pool, cudaStream_t stream) {
  return guarded([&] {
    require(pool != nullptr, cudaErrorInvalidValue);
    require(cudaMallocAsync(pointer, bytes, stream) == cudaSuccess, last_error(false));
  });
}

// NOLINTEND(readability-identifier-naming)
