#include "exec/nvidia_launches.hpp"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "exec/nvidia.hpp"
#include "exec/nvidia_driver.hpp"
#include "exec/registered_images.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/launch_trace.hpp"

#if PHPC_WITH_OFFLOAD

namespace phpc::exec::nvidia {

namespace {

/// What the compiler's code passes of a region (LLVM 19: KernelArgsTy of openmp/libomptarget/include/Shared/APITypes.h).
struct RegionArguments {
  std::uint32_t version;
  std::uint32_t count;
  void** base_pointers;
  void** pointers;
  std::int64_t* sizes;
  std::int64_t* types;
  void** names;
  void** mappers;
  std::uint64_t trip_count;
  std::uint64_t flags;
  std::uint32_t teams[3];
  std::uint32_t threads[3];
  std::uint32_t group_memory_bytes;
};
constexpr std::int64_t type_literal = 0x100;
constexpr std::uint32_t most_arguments = 64;

constexpr int attribute_static_shared_bytes = 1;        // CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES
constexpr int attribute_most_dynamic_shared_bytes = 8;  // CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
constexpr std::uint32_t usual_shared_bytes = 48 * 1024;
constexpr unsigned stream_non_blocking = 1;

struct Kernel {
  Function function = nullptr;
  std::atomic<std::uint32_t> dynamic_bytes = 0;  ///< the most that it was told it may be given
};

class Gpu {
 public:
  Gpu(int ordinal, Context context, const Facts& facts) : ordinal_(ordinal), context_(context), facts_(facts) {}

  [[nodiscard]] Context context() const { return context_; }
  [[nodiscard]] int ordinal() const { return ordinal_; }

  /// Whether there is any library with an image that the driver takes.
  [[nodiscard]] bool has_images() {
    const std::unique_lock lock(mutex_);
    for (int library = 0; library < image_libraries(); ++library) {
      if (module_of(library) != nullptr) {
        return true;
      }
    }
    return false;
  }

  /// Loads the images of all libraries; else a library's first kernel does.
  void load_images() {
    const std::unique_lock lock(mutex_);
    for (int library = 0; library < image_libraries(); ++library) {
      module_of(library);
    }
  }

  /// The kernel of a bare region; null for another, and where there is none in an image that the driver takes.
  Kernel* kernel(const void* region) {
    {
      const std::shared_lock lock(mutex_);
      if (const auto found = kernels_.find(region); found != kernels_.end()) {
        return found->second;
      }
    }
    const std::unique_lock lock(mutex_);
    const auto [place, is_new] = kernels_.emplace(region, nullptr);
    if (is_new) {
      const FoundEntry entry = find_entry(region);
      Function function = nullptr;
      if (const Module module = module_of(entry.library);
          module != nullptr && is_bare(module, entry.name) &&
          Driver::get().module_function(&function, module, entry.name) == success) {
        place->second = &all_kernels_.emplace_back();
        place->second->function = function;
      }
    }
    return place->second;
  }

  void* variable(const void* address) {
    const std::unique_lock lock(mutex_);
    const FoundEntry entry = find_entry(address);
    DevicePointer pointer = 0;
    std::size_t bytes = 0;
    const Module module = module_of(entry.library);
    if (module == nullptr || Driver::get().module_global(&pointer, &bytes, module, entry.name) != success) {
      return nullptr;
    }
    return reinterpret_cast<void*>(pointer);
  }

  Stream stream() {
    const std::unique_lock lock(mutex_);
    if (!idle_streams_.empty()) {
      const Stream stream = idle_streams_.back();
      idle_streams_.pop_back();
      return stream;
    }
    Stream stream = nullptr;
    const InContext here(context_);
    Driver::get().stream_create(&stream, stream_non_blocking);
    return stream;
  }
  void give_back(Stream stream) {
    const std::unique_lock lock(mutex_);
    idle_streams_.push_back(stream);
  }

 private:
  /// Kernels of other regions have a variable beside them that says how LLVM's device run-time library starts them.
  static bool is_bare(Module module, const char* name) {
    DevicePointer environment = 0;
    std::size_t bytes = 0;
    return Driver::get().module_global(&environment, &bytes, module, (std::string(name) + "_kernel_environment").c_str()) !=
           success;
  }

  Module module_of(int library) {
    if (library < 0) {
      return nullptr;
    }
    const auto [place, is_new] = modules_.emplace(library, nullptr);
    if (is_new) {
      const InContext here(context_);
      for (const void* const image : images_for(library, facts_.major, facts_.minor)) {
        if (Driver::get().module_load(&place->second, image) == success) {
          break;
        }
        place->second = nullptr;
      }
    }
    return place->second;
  }

  int ordinal_;
  Context context_;
  Facts facts_;
  std::shared_mutex mutex_;
  std::unordered_map<const void*, Kernel*> kernels_;
  std::deque<Kernel> all_kernels_;
  std::unordered_map<int, Module> modules_;
  std::vector<Stream> idle_streams_;
};

constexpr std::size_t most_devices = 64;
/// By OpenMP's number. They live as long as the process.
std::array<std::atomic<Gpu*>, most_devices> gpus;

Gpu* gpu_of(std::int64_t omp_device) {
  return omp_device >= 0 && omp_device < static_cast<std::int64_t>(most_devices)
             ? gpus[static_cast<std::size_t>(omp_device)].load(std::memory_order_acquire)
             : nullptr;
}

/// What one thread has launched.
struct Launches {
  struct OnGpu {
    Gpu* gpu;
    Stream stream;
    bool is_unfinished;
  };
  std::vector<OnGpu> streams{};
  int left_unfinished = 0;  ///< how many ask for that
  bool has_unfinished = false;
  std::optional<std::array<Box, 2>> boxes{};  ///< of the next launch: its league's, its teams'
  Status status = success;                    ///< the first failure that nobody was told of
  int ordinal = 0;                            ///< where

  ~Launches() {
    wait();
    for (const OnGpu& one : streams) {
      one.gpu->give_back(one.stream);
    }
  }

  OnGpu& on(Gpu& gpu) {
    for (OnGpu& one : streams) {
      if (one.gpu == &gpu) {
        return one;
      }
    }
    return streams.emplace_back(OnGpu{&gpu, gpu.stream(), false});
  }

  void note(Status code, const Gpu& gpu) {
    if (code != success && status == success) {
      status = code;
      ordinal = gpu.ordinal();
    }
  }

  void wait() {
    if (has_unfinished) {
      for (OnGpu& one : streams) {
        if (one.is_unfinished) {
          one.is_unfinished = false;
          const InContext here(one.gpu->context());
          note(Driver::get().stream_wait(one.stream), *one.gpu);
        }
      }
      has_unfinished = false;
    }
  }

  void check() {
    if (status != success) [[unlikely]] {
      const Status code = std::exchange(status, success);
      fail(ErrorKind::device, "a kernel failed on NVIDIA's GPU " + std::to_string(ordinal) + ": " + described(code));
    }
  }
};

thread_local Launches launches;

bool is_plain(const RegionArguments& arguments) {
  if (arguments.count > most_arguments || arguments.teams[0] == 0 || arguments.threads[0] == 0) {
    return false;
  }
  for (std::uint32_t i = 0; i < arguments.count; ++i) {
    if ((arguments.types[i] & type_literal) == 0) {
      return false;
    }
  }
  return true;
}

/// Launches a region; false where that is libomptarget's.
bool launch_region(std::int64_t omp_device, const void* region, const RegionArguments& arguments) {
  Gpu* const gpu = gpu_of(omp_device);
  if (gpu == nullptr || !is_plain(arguments)) {
    return false;
  }
  Kernel* const kernel = gpu->kernel(region);
  const std::array<Box, 2> boxes =
      std::exchange(launches.boxes, std::nullopt).value_or(std::array{Box{arguments.teams[0]}, Box{arguments.threads[0]}});
  const auto& [league, team] = boxes;
  if (kernel == nullptr) {
    return false;
  }
  const Driver& driver = Driver::get();
  const InContext here(gpu->context());
  const std::uint32_t bytes = arguments.group_memory_bytes;
  if (bytes > kernel->dynamic_bytes.load(std::memory_order_relaxed)) {
    int fixed = 0;
    driver.function_attribute(&fixed, attribute_static_shared_bytes, kernel->function);
    if (bytes + static_cast<std::uint32_t>(fixed) > usual_shared_bytes) {
      driver.function_set_attribute(kernel->function, attribute_most_dynamic_shared_bytes, static_cast<int>(bytes));
    }
    kernel->dynamic_bytes.store(bytes, std::memory_order_relaxed);
  }
  // LLVM's kernels have a parameter before those of the region, the environment of the launch; ~0 = nothing to say.
  void* environment = reinterpret_cast<void*>(~std::uintptr_t{0});
  std::array<void*, most_arguments + 1> parameters;
  parameters[0] = &environment;
  for (std::uint32_t i = 0; i < arguments.count; ++i) {
    parameters[i + 1] = &arguments.base_pointers[i];
  }
  Launches::OnGpu& mine = launches.on(*gpu);
  const Status status = driver.launch(kernel->function, league.x, league.y, league.z, team.x, team.y, team.z, bytes, mine.stream,
                                      parameters.data(), nullptr);
  launches.note(status, *gpu);
  if (status == success) {
    if (launches.left_unfinished > 0 && !LaunchTrace::is_on()) {
      mine.is_unfinished = true;
      launches.has_unfinished = true;
    } else {
      launches.note(driver.stream_wait(mine.stream), *gpu);
    }
  }
  return true;
}

using TargetKernel = int (*)(void*, std::int64_t, std::int32_t, std::int32_t, void*, RegionArguments*);

TargetKernel libomptargets_kernel() {
  static const auto function = reinterpret_cast<TargetKernel>(dlsym(RTLD_NEXT, "__tgt_target_kernel"));
  return function;
}

}  // namespace

bool take_launches(int omp_device, int ordinal) {
  if (omp_device < 0 || omp_device >= static_cast<int>(most_devices)) {
    return false;
  }
  if (gpu_of(omp_device) != nullptr) {
    return true;
  }
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  Context context = nullptr;
  if (ordinal >= driver.count || driver.device_get(&device, ordinal) != success || driver.retain(&context, device) != success) {
    return false;
  }
  auto gpu = std::make_unique<Gpu>(ordinal, context, facts(ordinal));
  if (!gpu->has_images()) {
    return false;
  }
  gpus[static_cast<std::size_t>(omp_device)].store(gpu.release(), std::memory_order_release);
  return true;
}

void* variable_on(int omp_device, const void* variable) {
  Gpu* const gpu = gpu_of(omp_device);
  return gpu == nullptr ? nullptr : gpu->variable(variable);
}

void prepare_launches(int omp_device) {
  if (Gpu* const gpu = gpu_of(omp_device); gpu != nullptr) {
    gpu->load_images();
    launches.on(*gpu);
  }
}

bool shape_next_launch(int omp_device, const Box& league, const Box& team) {
  if (gpu_of(omp_device) == nullptr) {
    return false;
  }
  launches.boxes = {league, team};
  return true;
}

void check_launch() {
  launches.check();
}

void wait_for_launches() noexcept {
  launches.wait();
}

void finish_launches() {
  launches.wait();
  launches.check();
}

bool leave_unfinished(bool begin) {
  launches.left_unfinished += begin ? 1 : -1;
  return launches.left_unfinished == 0;
}

}  // namespace phpc::exec::nvidia

extern "C" [[gnu::visibility("default")]] int __tgt_target_kernel(void* location, std::int64_t device, std::int32_t teams,
                                                                  std::int32_t threads, void* region,
                                                                  phpc::exec::nvidia::RegionArguments* arguments) {
  if (phpc::exec::nvidia::launch_region(device, region, *arguments)) {
    return 0;
  }
  const phpc::exec::nvidia::TargetKernel next = phpc::exec::nvidia::libomptargets_kernel();
  return next == nullptr ? 1 : next(location, device, teams, threads, region, arguments);
}

#else

namespace phpc::exec::nvidia {

bool take_launches(int /*omp_device*/, int /*ordinal*/) {
  return false;
}
void* variable_on(int /*omp_device*/, const void* /*variable*/) {
  return nullptr;
}
void prepare_launches(int /*omp_device*/) {}
bool shape_next_launch(int /*omp_device*/, const Box& /*league*/, const Box& /*team*/) {
  return false;
}
void check_launch() {}
void wait_for_launches() noexcept {}
void finish_launches() {}
bool leave_unfinished(bool /*begin*/) {
  return false;
}

}  // namespace phpc::exec::nvidia

#endif
