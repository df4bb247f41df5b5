// Variables that the host and devices share.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <mutex>
#include <vector>

#include "cuda/errors/failure.hpp"
#include "cuda/memory/allocations.hpp"
#include "cuda/memory/memory.hpp"
#include "cuda/memory/symbols.hpp"
#include "cuda/memory/target_memory.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/detail/managed_variable.hpp"
#include "phpc/exec/buffer.hpp"

namespace phpc::cuda {

namespace {

/// The managed variables of the program.
class ManagedVariables {
 public:
  static ManagedVariables& get() {
    static ManagedVariables& variables = *new ManagedVariables;  // constructors of any source add to it
    return variables;
  }

  void add(void** pointer, void* begin, std::size_t bytes) {
    const std::scoped_lock lock(mutex_);
    all_.push_back({pointer, begin, bytes});
  }

  /// Gives those that have none their memory.
  void place() {
    const std::scoped_lock lock(mutex_);
    for (const Variable& variable : all_) {
      if (*variable.pointer == nullptr) {
        __atomic_store_n(variable.pointer, memory_of(variable), __ATOMIC_RELEASE);
      }
    }
  }

  /// Tells a device where they are.
  static void send(Context& context) {
    get().place();
    const std::scoped_lock lock(get().mutex_);
    for (const Variable& variable : get().all_) {
      void* const there = address_on(context, variable.pointer);
      require(there != nullptr, cudaErrorInvalidSymbol);
      exec::copy_bytes(context.device(), there, exec::Device::host(), variable.pointer, sizeof(void*));
    }
  }

 private:
  struct Variable {
    void** pointer;
    void* begin;
    std::size_t bytes;
  };

  static void* memory_of(const Variable& variable) {
    Context& context = *contexts().front();
    if (context.device().is_host()) {
      return variable.begin;
    }
    const std::size_t whole = pitch_of(variable.bytes);
    void* const memory = allocate_shared_bytes(context.device(), whole);
    std::memcpy(memory, variable.begin, variable.bytes);
    allocations::add({.base = reinterpret_cast<std::uintptr_t>(memory),
                      .bytes = whole,
                      .kind = MemoryKind::managed,
                      .device = context.number(),
                      .flags = cudaMemAttachGlobal,
                      .is_variable = true});
    return memory;
  }

  ManagedVariables() { Context::call_before_use(send); }

  std::mutex mutex_;
  std::vector<Variable> all_;
};

}  // namespace

namespace detail {

ManagedVariable::ManagedVariable(void* pointer, void* begin, std::size_t bytes) {
  ManagedVariables::get().add(static_cast<void**>(pointer), begin, bytes);
}

void place_managed_variables() noexcept {
  try {
    ManagedVariables::get().place();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "portable-hpc: no memory for __managed__ variables: %s\n", error.what());
    std::abort();
  }
}

}  // namespace detail
}  // namespace phpc::cuda
