// Copies to and from device variables.
#include <cstdint>

#include "cuda/allocations.hpp"
#include "cuda/context.hpp"
#include "cuda/copies.hpp"
#include "cuda/failure.hpp"
#include "cuda/target_memory.hpp"
#include "phpc/cuda/runtime_api.hpp"

namespace phpc::cuda {

namespace {

/// Where a device variable is on the current device. The table knows it from then on.
char* on_device(const void* symbol, std::size_t bytes) {
  Context& context = healthy_context();
  void* const address = exec::address_on(context.device(), symbol);
  require(address != nullptr, cudaErrorInvalidSymbol);
  const std::optional<Allocation> known = allocations::find(address);
  if (!known || known->kind == MemoryKind::symbol) {
    allocations::add({.base = reinterpret_cast<std::uintptr_t>(address),
                      .bytes = bytes,
                      .kind = MemoryKind::symbol,
                      .device = context.number()});
  }
  return static_cast<char*>(address);
}

void require_part(std::size_t symbol_bytes, std::size_t bytes, std::size_t offset) {
  require(offset <= symbol_bytes && bytes <= symbol_bytes - offset, cudaErrorInvalidValue);
}

}  // namespace

namespace detail {

cudaError_t copy_to_symbol(const void* symbol, std::size_t symbol_bytes, const void* from, std::size_t bytes, std::size_t offset,
                           cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  return guarded([&] {
    require(kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
    require_part(symbol_bytes, bytes, offset);
    copy({on_device(symbol, symbol_bytes) + offset, bytes, bytes}, {static_cast<const char*>(from), bytes, bytes}, {bytes}, kind,
         stream, wait);
  });
}

cudaError_t copy_from_symbol(void* to, const void* symbol, std::size_t symbol_bytes, std::size_t bytes, std::size_t offset,
                             cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  return guarded([&] {
    require(kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault,
            cudaErrorInvalidMemcpyDirection);
    require_part(symbol_bytes, bytes, offset);
    copy({static_cast<char*>(to), bytes, bytes}, {on_device(symbol, symbol_bytes) + offset, bytes, bytes}, {bytes}, kind, stream,
         wait);
  });
}

cudaError_t symbol_address(void** pointer, const void* symbol, std::size_t symbol_bytes) {
  return guarded([&] {
    require(pointer != nullptr, cudaErrorInvalidValue);
    *pointer = on_device(symbol, symbol_bytes);
  });
}

}  // namespace detail
}  // namespace phpc::cuda
