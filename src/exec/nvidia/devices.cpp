#include "exec/nvidia/devices.hpp"

#include <cstdlib>
#include <string_view>

#include "exec/nvidia/driver.hpp"

namespace phpc::exec::nvidia {

namespace {

constexpr unsigned schedule_spin = 1;               // CU_CTX_SCHED_SPIN
constexpr int attribute_max_threads_per_block = 1;  // CU_DEVICE_ATTRIBUTE_...
constexpr int attribute_multiprocessor_count = 16;
constexpr int attribute_capability_major = 75;
constexpr int attribute_capability_minor = 76;
constexpr int attribute_max_shared_memory_optin = 97;
constexpr int pointer_device_ordinal = 9;  // CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL

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

std::optional<int> ordinal_of(const void* memory) {
  const Driver& driver = Driver::get();
  int ordinal = 0;
  if (driver.count == 0 ||
      driver.pointer_attribute(&ordinal, pointer_device_ordinal, reinterpret_cast<DevicePointer>(memory)) != success) {
    return std::nullopt;
  }
  return ordinal;
}

bool may_spin() {
  static const bool may = [] {
    const char* const wanted = std::getenv("PHPC_SPIN_WAIT");
    return wanted == nullptr || std::string_view(wanted) != "0";
  }();
  return may;
}

void enable_spin_wait(int ordinal) {
  if (!may_spin()) {
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
