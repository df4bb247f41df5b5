// The calls about devices.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

#include "cuda/devices/device_fields.hpp"
#include "cuda/errors/failure.hpp"
#include "cuda/memory/memory.hpp"
#include "cuda/nvidia/driver.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/cuda/runtime_api.hpp"

namespace phpc::cuda {
namespace {

/// A place on the PCI bus as the system's tools write it, "0000:3b:00.0".
std::string bus_id_of(Context& context) {
  const cudaDeviceProp& properties = context.properties();
  char text[32];
  std::snprintf(text, sizeof text, "%04x:%02x:%02x.0", static_cast<unsigned>(properties.pciDomainID) & 0xffffu,
                static_cast<unsigned>(properties.pciBusID) & 0xffu, static_cast<unsigned>(properties.pciDeviceID) & 0xffu);
  return text;
}

std::size_t usual_limit(cudaLimit limit) {
  switch (limit) {
    case cudaLimitStackSize:
      return 1024;
    case cudaLimitPrintfFifoSize:
      return std::size_t{1} << 20;
    case cudaLimitMallocHeapSize:
      return std::size_t{8} << 20;
    case cudaLimitDevRuntimeSyncDepth:
      return 2;
    case cudaLimitDevRuntimePendingLaunchCount:
      return 2048;
    case cudaLimitMaxL2FetchGranularity:
      return 64;
    case cudaLimitPersistingL2CacheSize:
      return 0;
  }
  refuse(cudaErrorUnsupportedLimit);
}

bool can_reach(int device, int peer) {
  return context_of(device).number() != context_of(peer).number();
}

}  // namespace
}  // namespace phpc::cuda

using namespace phpc::cuda;

// NOLINTBEGIN(readability-identifier-naming): CUDA's names.

cudaError_t cudaGetDeviceCount(int* count) {
  return guarded([&] {
    require(count != nullptr, cudaErrorInvalidValue);
    *count = 0;
    *count = static_cast<int>(contexts().size());
  });
}

cudaError_t cudaSetDevice(int device) {
  return guarded([&] { set_current(device); });
}

cudaError_t cudaGetDevice(int* device) {
  return guarded([&] {
    require(device != nullptr, cudaErrorInvalidValue);
    *device = current_context().number();
  });
}

cudaError_t cudaInitDevice(int device, unsigned int /*device_flags*/, unsigned int /*flags*/) {
  return guarded([&] { context_of(device); });
}

cudaError_t cudaSetValidDevices(int* devices, int count) {
  return guarded([&] {
    require(count == 0 || devices != nullptr, cudaErrorInvalidValue);
    std::for_each(devices, devices + count, [](int device) { context_of(device); });
  });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
  return guarded([&] {
    require(properties != nullptr, cudaErrorInvalidValue);
    *properties = context_of(device).properties();
  });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
  return guarded([&] {
    require(value != nullptr && attribute > 0 && attribute < cudaDevAttrMax, cudaErrorInvalidValue);
    Context& context = context_of(device);
    cudaDeviceProp properties = context.properties();
    const DeviceField field = field_of(properties, attribute);
    if (field.number != nullptr) {
      *value = *field.number;
    } else if (field.size != nullptr) {
      *value = static_cast<int>(*field.size);
    } else {
      const bool is_nvidia = context.device().kind() == phpc::exec::DeviceKind::nvidia;
      const std::optional<int> ordinal = is_nvidia ? nvidia::ordinal_of(context.device()) : std::nullopt;
      *value = ordinal ? nvidia::attribute(*ordinal, attribute).value_or(0) : 0;
    }
  });
}

cudaError_t cudaChooseDevice(int* device, const cudaDeviceProp* wanted) {
  return guarded([&] {
    require(device != nullptr && wanted != nullptr, cudaErrorInvalidValue);
    *device = 0;
    for (const std::unique_ptr<Context>& context : contexts()) {
      const cudaDeviceProp& one = context->properties();
      if ((wanted->name[0] == '\0' || std::strcmp(one.name, wanted->name) == 0) && one.totalGlobalMem >= wanted->totalGlobalMem &&
          10 * one.major + one.minor >= 10 * wanted->major + wanted->minor &&
          one.multiProcessorCount >= wanted->multiProcessorCount) {
        *device = context->number();
        return;
      }
    }
  });
}

cudaError_t cudaDeviceSynchronize() {
  return guarded([] { current_context().synchronise(); });
}

cudaError_t cudaDeviceReset() {
  return guarded([] {
    Context& context = current_context();
    context.wait();
    context.clear_errors();
    last_error(true);
    for (const Allocation& allocation : allocations::take_all(context.number())) {
      release(allocation);
    }
    const std::scoped_lock lock(context.settings);
    context.limits.clear();
    context.cache_config = cudaFuncCachePreferNone;
    context.flags = 0;
  });
}

cudaError_t cudaThreadSynchronize() {
  return cudaDeviceSynchronize();
}

cudaError_t cudaThreadExit() {
  return cudaDeviceReset();
}

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  return guarded([&] {
    require((flags & ~(cudaDeviceScheduleMask | cudaDeviceMapHost | cudaDeviceLmemResizeToMax)) == 0, cudaErrorInvalidValue);
    Context& context = current_context();
    const std::scoped_lock lock(context.settings);
    context.flags = flags;
  });
}

cudaError_t cudaGetDeviceFlags(unsigned int* flags) {
  return guarded([&] {
    require(flags != nullptr, cudaErrorInvalidValue);
    Context& context = current_context();
    const std::scoped_lock lock(context.settings);
    *flags = context.flags | cudaDeviceMapHost;
  });
}

cudaError_t cudaDeviceSetLimit(cudaLimit limit, std::size_t value) {
  return guarded([&] {
    usual_limit(limit);
    Context& context = healthy_context();
    const std::scoped_lock lock(context.settings);
    context.limits[limit] = value;
  });
}

cudaError_t cudaDeviceGetLimit(std::size_t* value, cudaLimit limit) {
  return guarded([&] {
    require(value != nullptr, cudaErrorInvalidValue);
    const std::size_t usual = usual_limit(limit);
    Context& context = healthy_context();
    const std::scoped_lock lock(context.settings);
    const auto set = context.limits.find(limit);
    *value = set != context.limits.end() ? set->second : usual;
  });
}

cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache config) {
  return guarded([&] {
    Context& context = healthy_context();
    const std::scoped_lock lock(context.settings);
    context.cache_config = config;
  });
}

cudaError_t cudaDeviceGetCacheConfig(cudaFuncCache* config) {
  return guarded([&] {
    require(config != nullptr, cudaErrorInvalidValue);
    Context& context = healthy_context();
    const std::scoped_lock lock(context.settings);
    *config = context.cache_config;
  });
}

cudaError_t cudaDeviceSetSharedMemConfig(cudaSharedMemConfig config) {
  return guarded([&] {
    Context& context = healthy_context();
    const std::scoped_lock lock(context.settings);
    context.bank_size = config;
  });
}

cudaError_t cudaDeviceGetSharedMemConfig(cudaSharedMemConfig* config) {
  return guarded([&] {
    require(config != nullptr, cudaErrorInvalidValue);
    Context& context = healthy_context();
    const std::scoped_lock lock(context.settings);
    *config = context.bank_size;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char* bus_id, int length, int device) {
  return guarded([&] {
    require(bus_id != nullptr && length > 0, cudaErrorInvalidValue);
    const std::string text = bus_id_of(context_of(device));
    require(text.size() < static_cast<std::size_t>(length), cudaErrorInvalidValue);
    std::memcpy(bus_id, text.c_str(), text.size() + 1);
  });
}

cudaError_t cudaDeviceGetByPCIBusId(int* device, const char* bus_id) {
  return guarded([&] {
    require(device != nullptr && bus_id != nullptr, cudaErrorInvalidValue);
    for (const std::unique_ptr<Context>& context : contexts()) {
      if (bus_id_of(*context) == bus_id) {
        *device = context->number();
        return;
      }
    }
    refuse(cudaErrorInvalidDevice);
  });
}

cudaError_t cudaDriverGetVersion(int* version) {
  return guarded([&] {
    require(version != nullptr, cudaErrorInvalidValue);
    *version = std::max(nvidia::version().value_or(CUDART_VERSION), CUDART_VERSION);
  });
}

cudaError_t cudaRuntimeGetVersion(int* version) {
  return guarded([&] {
    require(version != nullptr, cudaErrorInvalidValue);
    *version = CUDART_VERSION;
  });
}

cudaError_t cudaDeviceCanAccessPeer(int* can_access, int device, int peer) {
  return guarded([&] {
    require(can_access != nullptr, cudaErrorInvalidValue);
    can_reach(device, peer);
    *can_access = 0;  // copies from one to another work; kernels do not follow pointers to another device's memory
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  return guarded([&] {
    require(flags == 0, cudaErrorInvalidValue);
    require(can_reach(healthy_context().number(), peer), cudaErrorInvalidDevice);
    require(false, cudaErrorPeerAccessUnsupported);  // cudaDeviceCanAccessPeer() says so
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return guarded([&] {
    healthy_context();
    context_of(peer);
    require(false, cudaErrorPeerAccessNotEnabled);
  });
}

cudaError_t cudaDeviceGetP2PAttribute(int* value, cudaDeviceP2PAttr /*attribute*/, int from, int to) {
  return guarded([&] {
    require(value != nullptr, cudaErrorInvalidValue);
    require(can_reach(from, to), cudaErrorInvalidDevice);
    *value = 0;
  });
}

// NOLINTEND(readability-identifier-naming)
