#include "exec/nvidia.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string_view>

namespace phpc::exec::nvidia {

namespace {

// The driver API's own types and constants (cuda.h is not needed to build).
using Status = int;
using Ordinal = int;
using Context = struct OpaqueContext*;
constexpr Status success = 0;
constexpr unsigned schedule_spin = 1;               // CU_CTX_SCHED_SPIN
constexpr int attribute_max_threads_per_block = 1;  // CU_DEVICE_ATTRIBUTE_...
constexpr int attribute_multiprocessor_count = 16;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;
constexpr int attribute_max_shared_memory_optin = 97;

class Driver {
 public:
  static const Driver& get() {
    static const Driver driver;
    return driver;
  }

  int count = 0;
  Status (*device_get)(Ordinal*, int) = nullptr;
  Status (*device_name)(char*, int, Ordinal) = nullptr;
  Status (*device_memory)(std::size_t*, Ordinal) = nullptr;
  Status (*device_attribute)(int*, int, Ordinal) = nullptr;
  Status (*set_flags)(Ordinal, unsigned) = nullptr;
  Status (*retain)(Context*, Ordinal) = nullptr;
  Status (*push)(Context) = nullptr;
  Status (*pop)(Context*) = nullptr;
  Status (*memory_info)(std::size_t*, std::size_t*) = nullptr;

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
    load(device_memory, "cuDeviceTotalMem_v2");
    load(device_attribute, "cuDeviceGetAttribute");
    load(set_flags, "cuDevicePrimaryCtxSetFlags_v2");
    load(retain, "cuDevicePrimaryCtxRetain");
    load(push, "cuCtxPushCurrent_v2");
    load(pop, "cuCtxPopCurrent_v2");
    load(memory_info, "cuMemGetInfo_v2");
    int found = 0;
    if (complete && initialise(0) == success && device_count(&found) == success) {
      count = found;
    }
  }
};

int attribute(const Driver& driver, Ordinal device, int which) {
  int value = 0;
  return driver.device_attribute(&value, which, device) == success ? value : 0;
}

}  // namespace

int device_count() {
  return Driver::get().count;
}

Facts facts(int ordinal) {
  const Driver& driver = Driver::get();
  Facts facts;
  Ordinal device = 0;
  if (ordinal >= driver.count || driver.device_get(&device, ordinal) != success) {
    return facts;
  }
  char name[256] = "";
  if (driver.device_name(name, sizeof name, device) == success) {
    facts.name = name;
  }
  std::size_t bytes = 0;
  if (driver.device_memory(&bytes, device) == success) {
    facts.memory_bytes = bytes;
  }
  facts.major = attribute(driver, device, attribute_capability_major);
  facts.minor = attribute(driver, device, attribute_capability_minor);
  facts.scratch_bytes = static_cast<std::size_t>(attribute(driver, device, attribute_max_shared_memory_optin));
  facts.max_team_size = attribute(driver, device, attribute_max_threads_per_block);
  facts.multiprocessors = attribute(driver, device, attribute_multiprocessor_count);
  return facts;
}

std::uint64_t free_memory_bytes(int ordinal) {
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  Context context = nullptr;
  std::size_t free_bytes = 0;
  std::size_t all_bytes = 0;
  if (ordinal < driver.count && driver.device_get(&device, ordinal) == success && driver.retain(&context, device) == success &&
      driver.push(context) == success) {
    if (driver.memory_info(&free_bytes, &all_bytes) != success) {
      free_bytes = 0;
    }
    driver.pop(&context);
  }
  return free_bytes;
}

void enable_spin_wait(int ordinal) {
  const char* const wanted = std::getenv("PHPC_SPIN_WAIT");
  if (wanted != nullptr && std::string_view(wanted) == "0") {
    return;
  }
  const Driver& driver = Driver::get();
  Ordinal device = 0;
  Context context = nullptr;
  if (ordinal < driver.count && driver.device_get(&device, ordinal) == success) {
    driver.set_flags(device, schedule_spin);
    driver.retain(&context, device);
  }
}

}  // namespace phpc::exec::nvidia
