#include "exec/nvidia/gpu.hpp"

#include <array>
#include <mutex>
#include <string>

#include "exec/images/registered_images.hpp"
#include "exec/nvidia/launches.hpp"
#include "phpc/core/error.hpp"

namespace phpc::exec::nvidia {

#if PHPC_WITH_OFFLOAD

namespace {

constexpr unsigned stream_non_blocking = 1;
constexpr std::size_t most_devices = 64;
std::array<std::atomic<Gpu*>, most_devices> gpus;

/// The variable beside a kernel of a region that is not bare, which says how LLVM's device run-time library starts it.
bool is_bare(Module module, const char* name) {
  DevicePointer environment = 0;
  std::size_t bytes = 0;
  return Driver::get().module_global(&environment, &bytes, module, (std::string(name) + "_kernel_environment").c_str()) !=
         success;
}

}  // namespace

bool Gpu::has_images() {
  const std::unique_lock lock(mutex_);
  for (int library = 0; library < image_libraries(); ++library) {
    if (module_of(library) != nullptr) {
      return true;
    }
  }
  return false;
}

void Gpu::load_images() {
  const std::unique_lock lock(mutex_);
  for (int library = 0; library < image_libraries(); ++library) {
    module_of(library);
  }
}

Kernel* Gpu::kernel(const void* region) {
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
    if (const Module module = module_of(entry.library); module != nullptr && is_bare(module, entry.name) &&
                                                        Driver::get().module_function(&function, module, entry.name) == success) {
      place->second = &all_kernels_.emplace_back();
      place->second->function = function;
    }
  }
  return place->second;
}

bool Gpu::lacks_image_of(const void* region) {
  const std::unique_lock lock(mutex_);
  const FoundEntry entry = find_entry(region);
  return entry.name != nullptr && module_of(entry.library) == nullptr;
}

void* Gpu::variable(const void* address) {
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

Stream Gpu::stream() {
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

void Gpu::give_back(Stream stream) {
  const std::unique_lock lock(mutex_);
  idle_streams_.push_back(stream);
}

Event Gpu::event() {
  const std::unique_lock lock(mutex_);
  if (!idle_events_.empty()) {
    const Event event = idle_events_.back();
    idle_events_.pop_back();
    return event;
  }
  Event event = nullptr;
  const InContext here(context_);
  if (const Status code = Driver::get().event_create(&event, 0); code != success) {
    refuse(code, ordinal_);
  }
  return event;
}

void Gpu::give_back(Event event) {
  const std::unique_lock lock(mutex_);
  idle_events_.push_back(event);
}

Module Gpu::module_of(int library) {
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

bool may_keep_gpu(int omp_device) {
  return omp_device >= 0 && omp_device < static_cast<int>(most_devices);
}

Gpu* gpu_of(std::int64_t omp_device) {
  return omp_device >= 0 && omp_device < static_cast<std::int64_t>(most_devices)
             ? gpus[static_cast<std::size_t>(omp_device)].load(std::memory_order_acquire)
             : nullptr;
}

void keep_gpu(int omp_device, std::unique_ptr<Gpu> gpu) {
  gpus[static_cast<std::size_t>(omp_device)].store(gpu.release(), std::memory_order_release);
}

void refuse(Status code, int ordinal) {
  fail(ErrorKind::device, "a kernel failed on NVIDIA's GPU " + std::to_string(ordinal) + ": " + described(code));
}

bool copy_pageable(int omp_device, void* to, const void* from, std::size_t bytes, bool to_host) {
  const Gpu* const gpu = gpu_of(omp_device);
  if (gpu == nullptr || ordinal_of(to_host ? to : from)) {
    return false;
  }
  const Driver& driver = Driver::get();
  const InContext here(gpu->context());
  Status code = success;
  if (const Lane lane = lane_of_scope(); lane.gpu == gpu) {
    const auto stream = static_cast<Stream>(lane.stream);
    if (to_host) {
      code = driver.copy_out_stream(to, reinterpret_cast<DevicePointer>(from), bytes, stream);
      code = code == success ? driver.stream_wait(stream) : code;
    } else {  // the bytes may still be on their way, but no more in the host's memory
      code = driver.copy_in_stream(reinterpret_cast<DevicePointer>(to), from, bytes, stream);
    }
  } else if (to_host) {
    code = driver.copy_out(to, reinterpret_cast<DevicePointer>(from), bytes);
  } else {
    code = driver.copy_in(reinterpret_cast<DevicePointer>(to), from, bytes);
    if (code == success) {  // the bytes may still be on their way
      code = driver.stream_wait(nullptr);
    }
  }
  if (code != success) {
    refuse(code, gpu->ordinal());
  }
  return true;
}

bool copy_within(int omp_device, void* to, const void* from, std::size_t bytes) {
  const Gpu* const gpu = gpu_of(omp_device);
  const Lane lane = lane_of_scope();
  if (gpu == nullptr || lane.gpu != gpu) {
    return false;
  }
  const InContext here(gpu->context());
  const Status code = Driver::get().copy_within_stream(reinterpret_cast<DevicePointer>(to), reinterpret_cast<DevicePointer>(from),
                                                       bytes, static_cast<Stream>(lane.stream));
  if (code != success) {
    refuse(code, gpu->ordinal());
  }
  leave_lane_unfinished();
  return true;
}

#else

bool copy_pageable(int /*omp_device*/, void* /*to*/, const void* /*from*/, std::size_t /*bytes*/, bool /*to_host*/) {
  return false;
}
bool copy_within(int /*omp_device*/, void* /*to*/, const void* /*from*/, std::size_t /*bytes*/) {
  return false;
}

#endif

}  // namespace phpc::exec::nvidia
