// Copies to and from device variables.
#include "cuda/memory/symbols.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <span>
#include <utility>

#include "cuda/errors/failure.hpp"
#include "cuda/memory/allocations.hpp"
#include "cuda/memory/copies.hpp"
#include "cuda/memory/target_memory.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/detail/internal_variable.hpp"
#include "phpc/cuda/runtime_api.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::cuda {

namespace {

/// The variables of internal linkage, each with a kernel of its own that finds its address, and what the kernels found.
class InternalVariables {
 public:
  static InternalVariables& get() {
    static InternalVariables& variables = *new InternalVariables;  // constructors of any source add to it
    return variables;
  }

  void add(const void* variable, detail::FindAddress find) {
    const std::scoped_lock lock(mutex_);
    finders_[variable] = find;
  }

  /// Null for a variable that is not among them.
  void* address_on(Context& context, const void* variable) {
    const std::scoped_lock lock(mutex_);
    const auto finder = finders_.find(variable);
    if (finder == finders_.end()) {
      return nullptr;
    }
    const auto [place, is_new] = found_.emplace(std::pair(variable, context.number()), nullptr);
    if (is_new) {
      exec::Buffer<void*> there(context.device(), 1);
      finder->second(context.device(), there.data());
      there.copy_to(std::span<void*>(&place->second, 1));
    }
    return place->second;
  }

 private:
  std::mutex mutex_;
  std::map<const void*, detail::FindAddress> finders_;
  std::map<std::pair<const void*, int>, void*> found_;
};

/// The memory of a variable on the current device, which the table of allocations knows from then on. A managed variable's
/// own memory is where the program names it.
char* on_device(const void* symbol, std::size_t bytes) {
  Context& context = healthy_context();
  const std::optional<Allocation> shared = allocations::find(symbol);
  if (shared && shared->kind == MemoryKind::managed) {
    return static_cast<char*>(const_cast<void*>(symbol));
  }
  void* const address = address_on(context, symbol);
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

void* address_on(Context& context, const void* variable) {
  void* const address = context.device().is_host() ? nullptr : InternalVariables::get().address_on(context, variable);
  return address != nullptr ? address : exec::address_on(context.device(), variable);
}

namespace detail {

InternalVariable::InternalVariable(const void* variable, FindAddress find) {
  InternalVariables::get().add(variable, find);
}

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
