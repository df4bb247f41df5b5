#pragma once
#include <cstddef>
#include <memory>

// g++ says by a macro, clang by a feature, that AddressSanitizer watches, which must be told of a switch of stacks.
#if defined(__SANITIZE_ADDRESS__)
#define PHPC_FIBERS_OF_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define PHPC_FIBERS_OF_ASAN 1
#endif
#endif
#if !defined(PHPC_FIBERS_OF_ASAN)
#define PHPC_FIBERS_OF_ASAN 0
#endif

/// Fibers: computations with a stack each, between which a host thread switches by itself.
namespace phpc::cuda {

/// A place where a suspended computation goes on. Valid until it is resumed.
struct FiberContext {
  void* stack_pointer = nullptr;
#if PHPC_FIBERS_OF_ASAN
  void* fake_stack = nullptr;
  const void* stack_bottom = nullptr;
  std::size_t stack_bytes = 0;
#endif
};

/// Memory for the stacks of fibers of one host thread, numbered from 0 and made when they are first asked for. Below each lies a
/// page that must not be touched, as long as the system grants so many mappings.
class FiberStacks {
 public:
  /// Bytes of a stack: what a CUDA thread may have in local variables. They take memory where they are touched only.
  static constexpr std::size_t stack_bytes = std::size_t{256} << 10;

  FiberStacks() = default;
  FiberStacks(const FiberStacks&) = delete;
  FiberStacks& operator=(const FiberStacks&) = delete;
  ~FiberStacks();

  /// Makes the fiber of a number begin with `entry(argument)` when it is resumed. `entry` must not return.
  /// Throws Error(memory) where there is none for its stack.
  void prepare(int number, void (*entry)(void*), void* argument, FiberContext* fiber);

 private:
  static constexpr int chunk = 64;  ///< stacks that are mapped together
  static constexpr int most_chunks = 16;
  std::byte* chunks_[most_chunks] = {};
};

/// Suspends the running computation as `from` and goes on with `to`. `ends`: `from` is never resumed.
void switch_fiber(FiberContext* from, FiberContext* to, bool ends = false) noexcept;
/// What a fiber calls first.
void fiber_begins(FiberContext* came_from) noexcept;

}  // namespace phpc::cuda
