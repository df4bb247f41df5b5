#include "exec/nvidia/launches.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "exec/nvidia/devices.hpp"
#include "exec/nvidia/driver.hpp"
#include "exec/nvidia/gpu.hpp"
#include "phpc/exec/launch_trace.hpp"

#if PHPC_WITH_OFFLOAD

namespace phpc::exec::nvidia {

namespace {

/// The arguments of a region as the compiler's code passes them (LLVM 19: KernelArgsTy of
/// openmp/libomptarget/include/Shared/APITypes.h).
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
constexpr Status no_image = 209;                        // CUDA_ERROR_NO_BINARY_FOR_GPU
constexpr std::uint32_t usual_shared_bytes = 48 * 1024;
void* const launch_parameters = reinterpret_cast<void*>(1);       // CU_LAUNCH_PARAM_BUFFER_POINTER; 0 ends the list
void* const launch_parameter_bytes = reinterpret_cast<void*>(2);  // CU_LAUNCH_PARAM_BUFFER_SIZE

/// Whether the thread's launches have ended, while other objects of the thread or the program still do.
thread_local bool has_ended = false;

/// The launches of one thread: its streams, and which of them hold launches that were not waited for.
struct Launches {
  struct OnGpu {
    Gpu* gpu;
    Stream stream;
    bool is_unfinished;
  };
  std::vector<OnGpu> streams{};
  Lane lane{};  ///< where launches on its device are issued; else in the thread's own stream
  bool lane_is_unfinished = false;
  int left_unfinished = 0;  ///< scopes in which launches are not waited for
  bool has_unfinished = false;
  std::optional<std::array<Box, 2>> boxes{};  ///< of the next launch: its league and its teams
  Status status = success;                    ///< the first failure that nobody was told of
  int ordinal = 0;                            ///< the device where it was

  ~Launches() {
    wait();
    for (const OnGpu& one : streams) {
      one.gpu->give_back(one.stream);
    }
    has_ended = true;
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
    if (lane_is_unfinished) {
      lane_is_unfinished = false;
      Gpu& gpu = *static_cast<Gpu*>(lane.gpu);
      const InContext here(gpu.context());
      note(Driver::get().stream_wait(static_cast<Stream>(lane.stream)), gpu);
    }
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
      refuse(std::exchange(status, success), ordinal);
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
    if (!gpu->lacks_image_of(region)) {
      return false;
    }
    launches.note(no_image, *gpu);  // libomptarget would end the process
    return true;
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
  // LLVM's kernels have a parameter before those of the region, the environment of the launch; ~0 = nothing to say. All are
  // words, which the driver takes in one piece sooner than one by one.
  std::array<void*, most_arguments + 1> parameters;
  parameters[0] = reinterpret_cast<void*>(~std::uintptr_t{0});
  std::copy_n(arguments.base_pointers, arguments.count, parameters.begin() + 1);
  std::size_t parameter_bytes = (arguments.count + 1) * sizeof(void*);
  std::array<void*, 5> packed{launch_parameters, parameters.data(), launch_parameter_bytes, &parameter_bytes, nullptr};
  const bool is_in_lane = launches.lane.gpu == gpu;
  Launches::OnGpu* const mine = is_in_lane ? nullptr : &launches.on(*gpu);
  const Stream stream = is_in_lane ? static_cast<Stream>(launches.lane.stream) : mine->stream;
  const Status status = driver.launch(kernel->function, league.x, league.y, league.z, team.x, team.y, team.z, bytes, stream,
                                      nullptr, packed.data());
  launches.note(status, *gpu);
  if (status != success) {
    return true;
  }
  if (LaunchTrace::is_on() || (!is_in_lane && launches.left_unfinished == 0)) {
    launches.note(driver.stream_wait(stream), *gpu);
  } else if (is_in_lane) {
    launches.lane_is_unfinished = true;
  } else {
    mine->is_unfinished = true;
    launches.has_unfinished = true;
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
  if (!may_keep_gpu(omp_device)) {
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
  keep_gpu(omp_device, std::move(gpu));
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

Lane new_lane(int omp_device) {
  Gpu* const gpu = gpu_of(omp_device);
  return gpu == nullptr ? Lane{} : Lane{gpu, gpu->stream()};
}

void give_back(const Lane& lane) {
  static_cast<Gpu*>(lane.gpu)->give_back(static_cast<Stream>(lane.stream));
}

Lane launch_in(const Lane& lane) {
  launches.lane_is_unfinished = false;
  return std::exchange(launches.lane, lane);
}

void leave_lane_unfinished() {
  launches.lane_is_unfinished = true;
}

Lane lane_of_scope() {
  return launches.lane;
}

Lane current_lane(int omp_device) {
  Gpu* const gpu = gpu_of(omp_device);
  if (gpu == nullptr || has_ended) {
    return {};
  }
  return launches.lane.gpu == gpu ? launches.lane : Lane{gpu, launches.on(*gpu).stream};
}

void wait_for(const Lane& lane) {
  const Gpu& gpu = *static_cast<const Gpu*>(lane.gpu);
  const InContext here(gpu.context());
  if (const Status code = Driver::get().stream_wait(static_cast<Stream>(lane.stream)); code != success) {
    refuse(code, gpu.ordinal());
  }
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
Lane new_lane(int /*omp_device*/) {
  return {};
}
void give_back(const Lane& /*lane*/) {}
Lane launch_in(const Lane& /*lane*/) {
  return {};
}
Lane lane_of_scope() {
  return {};
}
Lane current_lane(int /*omp_device*/) {
  return {};
}
void wait_for(const Lane& /*lane*/) {}
void check_launch() {}
void wait_for_launches() noexcept {}
void finish_launches() {}
bool leave_unfinished(bool /*begin*/) {
  return false;
}

}  // namespace phpc::exec::nvidia

#endif
