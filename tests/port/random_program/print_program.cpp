#include <string_view>

#include "port/random_program/print.hpp"

namespace phpc::test {
namespace {

/// CUDA's names over fibers. A fiber runs until it waits; when all that it waits for wait too, all go on. The order of the fibers
/// turns around after each barrier of the block, so that a race shows.
constexpr std::string_view plain_head = R"text(#include <ucontext.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <vector>

#define __device__
#define __global__
static int min(int a, int b) { return std::min(a, b); }
static int max(int a, int b) { return std::max(a, b); }
static unsigned min(unsigned a, unsigned b) { return std::min(a, b); }
static unsigned max(unsigned a, unsigned b) { return std::max(a, b); }

struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x_ = 1, unsigned y_ = 1, unsigned z_ = 1) : x(x_), y(y_), z(z_) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;
static unsigned dynamic_memory[4096];

enum class Wait { nothing, block, warp, end };
struct Fiber {
  ucontext_t context;
  std::vector<char> stack = std::vector<char>(65536);
  Wait wait = Wait::nothing;
  unsigned given = 0, slot = 0;
};
static std::vector<Fiber> fibers;
static ucontext_t scheduler;
static unsigned current;
static const std::function<void()>* work_of_thread;
static unsigned votes, voted;

static void pause_fiber(Wait wait) {
  fibers[current].wait = wait;
  swapcontext(&fibers[current].context, &scheduler);
}
static void start_fiber() {
  (*work_of_thread)();
  pause_fiber(Wait::end);
}
static void __syncthreads() { pause_fiber(Wait::block); }
static unsigned count_votes(bool yes, unsigned& live) {
  fibers[current].given = yes;
  pause_fiber(Wait::block);
  live = voted;
  return votes;
}
static int __syncthreads_count(int yes) {
  unsigned live;
  return static_cast<int>(count_votes(yes != 0, live));
}
static int __syncthreads_and(int yes) {
  unsigned live;
  return count_votes(yes != 0, live) == live;
}
static int __syncthreads_or(int yes) {
  unsigned live;
  return count_votes(yes != 0, live) > 0;
}

template <typename T>
T exchanged(T value, unsigned from) {
  Fiber& mine = fibers[current];
  const unsigned warp = current / 32 * 32;
  std::memcpy(&mine.slot, &value, sizeof value);
  pause_fiber(Wait::warp);
  std::memcpy(&value, &fibers[warp + from].slot, sizeof value);
  pause_fiber(Wait::warp);
  return value;
}
template <typename T>
T __shfl_sync(unsigned, T value, unsigned from) {
  return exchanged(value, from);
}
template <typename T>
T __shfl_up_sync(unsigned, T value, unsigned by, unsigned part = 32) {
  const unsigned lane = current % 32;
  return exchanged(value, lane % part >= by ? lane - by : lane);
}
template <typename T>
T __shfl_down_sync(unsigned, T value, unsigned by, unsigned part = 32) {
  const unsigned lane = current % 32;
  return exchanged(value, lane % part + by < part ? lane + by : lane);
}
template <typename T>
T __shfl_xor_sync(unsigned, T value, unsigned by, unsigned = 32) {
  return exchanged(value, current % 32 ^ by);
}
static unsigned __ballot_sync(unsigned mask, int yes) {
  fibers[current].slot = yes != 0;
  pause_fiber(Wait::warp);
  unsigned ballot = 0;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (mask >> lane & 1) {
      ballot |= fibers[current / 32 * 32 + lane].slot << lane;
    }
  }
  pause_fiber(Wait::warp);
  return ballot;
}
static int __any_sync(unsigned mask, int yes) { return __ballot_sync(mask, yes) != 0; }
static int __all_sync(unsigned mask, int yes) { return __ballot_sync(mask, yes) == mask; }

template <typename T, typename V>
void atomicAdd(T* place, V value) { *place = static_cast<T>(static_cast<unsigned>(*place) + static_cast<unsigned>(value)); }
template <typename T, typename V>
void atomicXor(T* place, V value) { *place ^= value; }
template <typename T, typename V>
void atomicOr(T* place, V value) { *place |= value; }
template <typename T, typename V>
void atomicAnd(T* place, V value) { *place &= value; }
template <typename T, typename V>
void atomicMin(T* place, V value) { *place = std::min(*place, static_cast<T>(value)); }
template <typename T, typename V>
void atomicMax(T* place, V value) { *place = std::max(*place, static_cast<T>(value)); }

static bool release(unsigned first, unsigned last, Wait wait) {
  unsigned waiting = 0, live = 0, yes = 0;
  for (unsigned t = first; t < last; ++t) {
    live += fibers[t].wait != Wait::end;
    waiting += fibers[t].wait == wait;
    yes += fibers[t].wait == wait ? fibers[t].given : 0;
  }
  if (waiting == 0 || waiting != live) {
    return false;
  }
  if (wait == Wait::block) {
    votes = yes;
    voted = live;
  }
  for (unsigned t = first; t < last; ++t) {
    fibers[t].wait = fibers[t].wait == wait ? Wait::nothing : fibers[t].wait;
  }
  return true;
}

static void run_block(const std::function<void()>& kernel) {
  const unsigned size = blockDim.x * blockDim.y * blockDim.z;
  fibers.resize(size);
  work_of_thread = &kernel;
  for (Fiber& fiber : fibers) {
    fiber.wait = Wait::nothing;
    getcontext(&fiber.context);
    fiber.context.uc_stack.ss_sp = fiber.stack.data();
    fiber.context.uc_stack.ss_size = fiber.stack.size();
    fiber.context.uc_link = nullptr;
    makecontext(&fiber.context, start_fiber, 0);
  }
  for (bool forward = true;;) {
    for (unsigned k = 0; k < size; ++k) {
      current = forward ? k : size - 1 - k;
      if (fibers[current].wait == Wait::nothing) {
        threadIdx = dim3(current % blockDim.x, current / blockDim.x % blockDim.y, current / blockDim.x / blockDim.y);
        swapcontext(&scheduler, &fibers[current].context);
      }
    }
    bool some = false;
    for (unsigned first = 0; first < size; first += 32) {
      some = release(first, std::min(first + 32, size), Wait::warp) || some;
    }
    if (!some && release(0, size, Wait::block)) {
      some = true;
      forward = !forward;
    }
    if (!some) {
      if (std::all_of(fibers.begin(), fibers.end(), [](const Fiber& f) { return f.wait == Wait::end; })) {
        return;
      }
      std::printf("FAIL: a barrier that not all threads reach\n");
      std::exit(1);
    }
  }
}

static void launch(dim3 grid, dim3 block, const std::function<void()>& kernel) {
  gridDim = grid;
  blockDim = block;
  for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b) {
    std::memset(dynamic_memory, 0xa5, sizeof dynamic_memory);
    blockIdx = dim3(b % grid.x, b / grid.x % grid.y, b / grid.x / grid.y);
    run_block(kernel);
  }
}

)text";

constexpr std::string_view cuda_head = R"text(#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

)text";

constexpr std::string_view memory_text =
    R"text(// What a kernel writes: `outputs` values, a word of work memory for each thread, totals of the grid.
struct Memory {
  unsigned *out, *work, *totals;
  unsigned sizes[3];
  Memory(unsigned outputs, unsigned threads) : sizes{outputs, threads, 4} {
    std::vector<unsigned> first(threads);
    for (unsigned i = 0; i < threads; ++i) {
      first[i] = i * 2654435761u >> 7;
    }
    const unsigned start[4] = {0, 0, 0, ~0u};
    unsigned** const pointers[3] = {&out, &work, &totals};
    for (int k = 0; k < 3; ++k) {
      ALLOCATE(pointers[k], sizes[k] * sizeof(unsigned));
    }
    CLEAR(out, outputs * sizeof(unsigned));
    COPY_IN(work, first.data(), threads * sizeof(unsigned));
    COPY_IN(totals, start, sizeof start);
  }
  // Compares the FNV-1a hash of all with the expected one.
  bool right(const char* name, std::uint64_t expected) {
    std::uint64_t hash = 0xcbf29ce484222325u;
    unsigned* const pointers[3] = {out, work, totals};
    bool ok = LAST_STATUS;
    for (int k = 0; k < 3; ++k) {
      std::vector<unsigned> words(sizes[k]);
      COPY_OUT(words.data(), pointers[k], sizes[k] * sizeof(unsigned));
      ok = LAST_STATUS && ok;
      FREE(pointers[k]);
      for (unsigned word : words) {
        for (int shift = 0; shift < 32; shift += 8) {
          hash = (hash ^ (word >> shift & 0xff)) * 0x100000001b3u;
        }
      }
    }
    if (hash != expected || !ok) {
      std::printf("%s: expected %016llx got %016llx%s\n", name, (unsigned long long)expected, (unsigned long long)hash,
                  ok ? "" : " (an API call failed)");
      return false;
    }
    return true;
  }
};

__device__ inline unsigned thread_rank() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }

)text";

std::string replaced(std::string text, bool plain) {
  static const char* const words[][3] = {
      {"ALLOCATE(pointers[k], sizes[k] * sizeof(unsigned))", "cudaMalloc((void**)pointers[k], sizes[k] * sizeof(unsigned))",
       "*pointers[k] = new unsigned[sizes[k]]"},
      {"CLEAR(out, ", "cudaMemset(out, 0, ", "std::memset(out, 0, "},
      {"COPY_IN(work, first.data(), threads * sizeof(unsigned))",
       "cudaMemcpy(work, first.data(), threads * sizeof(unsigned), cudaMemcpyHostToDevice)",
       "std::memcpy(work, first.data(), threads * sizeof(unsigned))"},
      {"COPY_IN(totals, start, sizeof start)", "cudaMemcpy(totals, start, sizeof start, cudaMemcpyHostToDevice)",
       "std::memcpy(totals, start, sizeof start)"},
      {"COPY_OUT(words.data(), pointers[k], sizes[k] * sizeof(unsigned))",
       "cudaMemcpy(words.data(), pointers[k], sizes[k] * sizeof(unsigned), cudaMemcpyDeviceToHost)",
       "std::memcpy(words.data(), pointers[k], sizes[k] * sizeof(unsigned))"},
      {"bool ok = LAST_STATUS", "bool ok = cudaGetLastError() == cudaSuccess", "bool ok = true"},
      {"ok = LAST_STATUS && ok", "ok = cudaGetLastError() == cudaSuccess && ok", "ok = true && ok"},
      {"FREE(pointers[k])", "cudaFree(pointers[k])", "delete[] pointers[k]"},
  };
  for (const auto& word : words) {
    text.replace(text.find(word[0]), std::string_view(word[0]).size(), word[plain ? 2 : 1]);
  }
  return text;
}

}  // namespace

std::string plain_preamble() {
  return std::string(plain_head);
}

std::string print_program(const Program& program, const std::vector<std::uint64_t>& hashes, std::uint64_t seed, bool plain) {
  const std::string count = std::to_string(program.kernels.size());
  std::string text = "// Random kernels: seed " + std::to_string(seed) + ", " + count + " kernels.\n";
  text += plain ? plain_preamble() : std::string(cuda_head);
  text += replaced(std::string(memory_text), plain);
  text += print_functions(program, plain);
  std::string calls;
  for (std::size_t k = 0; k < program.kernels.size(); ++k) {
    text += print_kernel(program, program.kernels[k], hashes[k], plain);
    calls += "  failed += !run_" + program.kernels[k].name + "();\n";
  }
  text += "int main() {\n  int failed = 0;\n" + calls + "  if (failed != 0) {\n    std::printf(\"FAIL %d of " + count +
          "\\n\", failed);\n    return 1;\n  }\n  std::printf(\"PASS " + count + "\\n\");\n  return 0;\n}\n";
  return text;
}

}  // namespace phpc::test
