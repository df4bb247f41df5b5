#include "cuda/blocks/fiber.hpp"

#include <sys/mman.h>

#include <cstdint>

#include "phpc/core/error.hpp"
#include "phpc/core/parse.hpp"

#if PHPC_FIBERS_OF_ASAN
#include <sanitizer/common_interface_defs.h>
#endif
#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace phpc::cuda {

namespace {

constexpr std::size_t page_bytes = 4096;
// An offset between stacks: without it the same places of all stacks would share a set of the cache.
constexpr std::size_t colour = 5 * 64;

#if defined(__x86_64__)

// Saves the registers that the System V ABI has a function keep (rbx, rbp, r12 to r15; the modes of floating point arithmetic are
// the same for all fibers of a thread), and goes on with another stack. It does so by `ret`: fibers suspend at the same place,
// where the processor's stack of return addresses leads as well (a jump left it one off: 31 ns a turn, not 11).
asm(R"(
.text
.p2align 4
.hidden phpc_switch_stacks
.globl phpc_switch_stacks
.type phpc_switch_stacks, @function
phpc_switch_stacks:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size phpc_switch_stacks, .-phpc_switch_stacks
.p2align 4
.hidden phpc_begin_stack
.globl phpc_begin_stack
.type phpc_begin_stack, @function
phpc_begin_stack:
  movq %r12, %rdi
  callq *%rbx
  ud2
.size phpc_begin_stack, .-phpc_begin_stack
)");
extern "C" void phpc_switch_stacks(void** from, void* to);
extern "C" void phpc_begin_stack();

void* first_frame(std::byte* top, void (*entry)(void*), void* argument) {
  // The stack looks as if the fiber had called phpc_switch_stacks: six registers, then where to return to. The place after that
  // is 16-byte aligned.
  auto* frame = reinterpret_cast<std::uint64_t*>(reinterpret_cast<std::uintptr_t>(top) & ~std::uintptr_t{15}) - 9;
  frame[0] = frame[1] = frame[2] = 0;                    // r15, r14, r13
  frame[3] = reinterpret_cast<std::uint64_t>(argument);  // r12
  frame[4] = reinterpret_cast<std::uint64_t>(entry);     // rbx
  frame[5] = 0;                                          // rbp
  frame[6] = reinterpret_cast<std::uint64_t>(&phpc_begin_stack);
  frame[7] = 0;
  return frame;
}

#else

struct Saved {
  ucontext_t context;
};

void phpc_switch_stacks(void** from, void* to) {
  ucontext_t here;
  *from = &here;
  swapcontext(&here, static_cast<ucontext_t*>(to));
}

void begin(unsigned entry_high, unsigned entry_low, unsigned argument_high, unsigned argument_low) {
  const auto join = [](unsigned high, unsigned low) { return std::uintptr_t{high} << 32 | low; };
  reinterpret_cast<void (*)(void*)>(join(entry_high, entry_low))(reinterpret_cast<void*>(join(argument_high, argument_low)));
}

void* first_frame(std::byte* top, std::byte* bottom, void (*entry)(void*), void* argument) {
  auto* const context =
      reinterpret_cast<ucontext_t*>((reinterpret_cast<std::uintptr_t>(top) - sizeof(ucontext_t)) & ~std::uintptr_t{63});
  getcontext(context);
  context->uc_stack.ss_sp = bottom;
  context->uc_stack.ss_size = static_cast<std::size_t>(reinterpret_cast<std::byte*>(context) - bottom);
  context->uc_link = nullptr;
  const auto e = reinterpret_cast<std::uintptr_t>(entry);
  const auto a = reinterpret_cast<std::uintptr_t>(argument);
  makecontext(context, reinterpret_cast<void (*)()>(&begin), 4, static_cast<unsigned>(e >> 32), static_cast<unsigned>(e),
              static_cast<unsigned>(a >> 32), static_cast<unsigned>(a));
  return context;
}

#endif

constexpr std::size_t stride = FiberStacks::stack_bytes + page_bytes + colour;

}  // namespace

FiberStacks::~FiberStacks() {
  for (std::byte* const memory : chunks_) {
    if (memory != nullptr) {
      munmap(memory, (chunk * stride + page_bytes - 1) / page_bytes * page_bytes);
    }
  }
}

void FiberStacks::prepare(int number, void (*entry)(void*), void* argument, FiberContext* fiber) {
  std::byte*& memory = chunks_[number / chunk];
  if (memory == nullptr) {
    const std::size_t bytes = (chunk * stride + page_bytes - 1) / page_bytes * page_bytes;
    void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    PHPC_VALIDATE(mapped != MAP_FAILED, ErrorKind::memory,
                  "cannot allocate memory for the stacks of a thread block (asked for " + format_bytes(bytes) + ")");
    madvise(mapped, bytes, MADV_NOHUGEPAGE);
    memory = static_cast<std::byte*>(mapped);
    for (int stack = 0; stack < chunk; ++stack) {
      // Rounded up: the guard is the lowest whole page of the stack. With tens of thousands of host threads the system grants no
      // more mappings at some point, and the last stacks have no guard.
      const std::uintptr_t low = reinterpret_cast<std::uintptr_t>(memory + static_cast<std::size_t>(stack) * stride);
      mprotect(reinterpret_cast<void*>((low + page_bytes - 1) / page_bytes * page_bytes), page_bytes, PROT_NONE);
    }
  }
  std::byte* const bottom = memory + static_cast<std::size_t>(number % chunk) * stride + page_bytes;
  std::byte* const top = memory + (static_cast<std::size_t>(number % chunk) + 1) * stride;
#if defined(__x86_64__)
  fiber->stack_pointer = first_frame(top, entry, argument);
#else
  fiber->stack_pointer = first_frame(top, bottom + page_bytes, entry, argument);
#endif
#if PHPC_FIBERS_OF_ASAN
  fiber->fake_stack = nullptr;
  fiber->stack_bottom = bottom;
  fiber->stack_bytes = static_cast<std::size_t>(top - bottom);
#else
  static_cast<void>(bottom);
#endif
}

void switch_fiber(FiberContext* from, FiberContext* to, [[maybe_unused]] bool ends) noexcept {
#if PHPC_FIBERS_OF_ASAN
  __sanitizer_start_switch_fiber(ends ? nullptr : &from->fake_stack, to->stack_bottom, to->stack_bytes);
#endif
  phpc_switch_stacks(&from->stack_pointer, to->stack_pointer);
#if PHPC_FIBERS_OF_ASAN
  __sanitizer_finish_switch_fiber(from->fake_stack, nullptr, nullptr);
#endif
}

void fiber_begins([[maybe_unused]] FiberContext* came_from) noexcept {
#if PHPC_FIBERS_OF_ASAN
  __sanitizer_finish_switch_fiber(nullptr, &came_from->stack_bottom, &came_from->stack_bytes);
#endif
}

}  // namespace phpc::cuda
