#include "cuda/nvidia/driver.hpp"

#include <dlfcn.h>

#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <vector>

namespace phpc::cuda::nvidia {

namespace {

// The driver API's own types and constants (cuda.h is not needed to build).
using Status = int;
using Ordinal = int;
using Context = void*;
constexpr Status success = 0;

/// The functions of libcuda, which is loaded at run time.
struct Driver {
  static const Driver& get() {
    static const Driver driver;
    return driver;
  }

  int count = 0;
  Status (*device_get)(Ordinal*, int) = nullptr;
  Status (*device_name)(char*, int, Ordinal) = nullptr;
  Status (*device_attribute)(int*, int, Ordinal) = nullptr;
  Status (*device_uuid)(cudaUUID_t*, Ordinal) = nullptr;
  Status (*driver_version)(int*) = nullptr;
  Status (*retain_context)(Context*, Ordinal) = nullptr;
  Status (*release_context)(Ordinal) = nullptr;
  Status (*push_context)(Context) = nullptr;
  Status (*pop_context)(Context*) = nullptr;
  Status (*memory_allocate)(std::uint64_t*, std::size_t) = nullptr;
  Status (*memory_free)(std::uint64_t) = nullptr;
  Status (*host_register)(void*, std::size_t, unsigned) = nullptr;
  Status (*host_unregister)(void*) = nullptr;

 private:
  Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
    if (library == nullptr) {
      return;
    }
    bool complete = true;
    const auto load = [&](auto& function, const char* symbol) {
      function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
      complete = complete && function != nullptr;
    };
    Status (*initialise)(unsigned) = nullptr;
    Status (*device_count)(int*) = nullptr;
    load(initialise, "cuInit");
    load(device_count, "cuDeviceGetCount");
    load(device_get, "cuDeviceGet");
    load(device_name, "cuDeviceGetName");
    load(device_attribute, "cuDeviceGetAttribute");
    load(device_uuid, "cuDeviceGetUuid");
    load(driver_version, "cuDriverGetVersion");
    load(retain_context, "cuDevicePrimaryCtxRetain");
    load(release_context, "cuDevicePrimaryCtxRelease_v2");
    load(push_context, "cuCtxPushCurrent_v2");
    load(pop_context, "cuCtxPopCurrent_v2");
    load(memory_allocate, "cuMemAlloc_v2");
    load(memory_free, "cuMemFree_v2");
    load(host_register, "cuMemHostRegister_v2");
    load(host_unregister, "cuMemHostUnregister");
    int found = 0;
    if (complete && initialise(0) == success && device_count(&found) == success) {
      count = found;
    }
  }
};

std::string name_of(int ordinal) {
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  char name[256] = "";
  const bool known = driver.device_get(&device, ordinal) == success && driver.device_name(name, sizeof name, device) == success;
  return known ? name : "";
}

}  // namespace

namespace {

std::optional<int> find_ordinal(exec::Device device) {
  // Devices of one name are numbered alike by exec and by the driver.
  const std::string& name = device.properties().name;
  int place = 0;
  for (const exec::Device other : exec::Device::all()) {
    if (other == device) {
      break;
    }
    place += other.kind() == exec::DeviceKind::nvidia && other.properties().name == name ? 1 : 0;
  }
  for (int ordinal = 0; ordinal < Driver::get().count; ++ordinal) {
    if (name_of(ordinal) == name && place-- == 0) {
      return ordinal;
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<int> ordinal_of(exec::Device device) {
  // To the end of the process: memory may be freed when the program's own objects are destroyed.
  static auto& asking = *new std::mutex;
  static auto& known = *new std::map<int, std::optional<int>>;
  const std::scoped_lock lock(asking);
  const auto [place, is_new] = known.try_emplace(device.omp_device());
  if (is_new) {
    place->second = find_ordinal(device);
  }
  return place->second;
}

std::optional<int> attribute(int ordinal, cudaDeviceAttr attribute) {
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  int value = 0;
  const bool known = ordinal < driver.count && driver.device_get(&device, ordinal) == success &&
                     driver.device_attribute(&value, static_cast<int>(attribute), device) == success;
  return known ? std::optional(value) : std::nullopt;
}

std::optional<cudaUUID_t> uuid(int ordinal) {
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  cudaUUID_t value{};
  const bool known =
      ordinal < driver.count && driver.device_get(&device, ordinal) == success && driver.device_uuid(&value, device) == success;
  return known ? std::optional(value) : std::nullopt;
}

std::optional<int> version() {
  const Driver& driver = Driver::get();
  int value = 0;
  const bool known = driver.driver_version != nullptr && driver.driver_version(&value) == success;
  return known ? std::optional(value) : std::nullopt;
}

namespace {

/// Calls `call` in the context of a device that OpenMP's run-time library uses too. Returns whether it succeeded.
template <class Call>
bool in_context(int ordinal, Call call) {
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  Context context = nullptr;
  if (ordinal >= driver.count || driver.device_get(&device, ordinal) != success ||
      driver.retain_context(&context, device) != success) {
    return false;
  }
  bool done = false;
  if (driver.push_context(context) == success) {
    done = call(driver) == success;
    driver.pop_context(&context);
  }
  driver.release_context(device);
  return done;
}

}  // namespace

void* allocate(int ordinal, std::size_t bytes) {
  std::uint64_t address = 0;
  const bool done = in_context(ordinal, [&](const Driver& driver) { return driver.memory_allocate(&address, bytes); });
  return done ? reinterpret_cast<void*>(address) : nullptr;
}

void free(int ordinal, void* pointer) noexcept {
  in_context(ordinal, [&](const Driver& driver) { return driver.memory_free(reinterpret_cast<std::uint64_t>(pointer)); });
}

bool lock(int ordinal, void* pointer, std::size_t bytes) {
  constexpr unsigned portable_and_mapped = 3;
  return in_context(ordinal, [&](const Driver& driver) { return driver.host_register(pointer, bytes, portable_and_mapped); });
}

void unlock(int ordinal, void* pointer) noexcept {
  in_context(ordinal, [&](const Driver& driver) { return driver.host_unregister(pointer); });
}

}  // namespace phpc::cuda::nvidia
