// The properties of a device in CUDA's terms.
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <string>

#include "cuda/devices/device_fields.hpp"
#include "cuda/nvidia/driver.hpp"
#include "cuda/streams/context.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::cuda {

namespace {

/// The processor's clock rate in kHz, by the system's files; 2 GHz where they do not tell.
int host_clock_rate() {
  std::ifstream most("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
  if (int rate = 0; most >> rate && rate > 0) {
    return rate;
  }
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(':');
    if (line.starts_with("cpu MHz") && colon != std::string::npos) {
      if (const std::optional<double> megahertz = parse_real(trimmed(std::string_view(line).substr(colon + 1)))) {
        return static_cast<int>(*megahertz * 1000);
      }
    }
  }
  return 2'000'000;
}

int host_cache_bytes() {
  const long third = sysconf(_SC_LEVEL3_CACHE_SIZE);
  const long bytes = third > 0 ? third : sysconf(_SC_LEVEL2_CACHE_SIZE);
  return static_cast<int>(std::clamp(bytes, 1L << 20, static_cast<long>(std::numeric_limits<int>::max())));
}

/// The properties of every device until more is known: the limits of compute capability 9.0, which kernels are translated for.
cudaDeviceProp usual_properties() {
  cudaDeviceProp usual{};
  usual.sharedMemPerBlock = 48 << 10;
  usual.sharedMemPerBlockOptin = 227 << 10;
  usual.sharedMemPerMultiprocessor = 228 << 10;
  usual.reservedSharedMemPerBlock = 1 << 10;
  usual.regsPerBlock = 1 << 16;
  usual.regsPerMultiprocessor = 1 << 16;
  usual.warpSize = 32;
  usual.memPitch = std::numeric_limits<int>::max();
  usual.maxThreadsPerBlock = 1024;
  usual.maxThreadsDim[0] = 1024;
  usual.maxThreadsDim[1] = 1024;
  usual.maxThreadsDim[2] = 64;
  usual.maxGridSize[0] = std::numeric_limits<int>::max();
  usual.maxGridSize[1] = 65535;
  usual.maxGridSize[2] = 65535;
  usual.maxThreadsPerMultiProcessor = 2048;
  usual.maxBlocksPerMultiProcessor = 32;
  usual.totalConstMem = 1 << 16;
  usual.major = 9;
  usual.minor = 0;
  usual.textureAlignment = 512;
  usual.texturePitchAlignment = 32;
  usual.surfaceAlignment = 512;
  usual.canMapHostMemory = 1;
  usual.concurrentKernels = 1;
  usual.unifiedAddressing = 1;
  usual.managedMemory = 1;
  usual.streamPrioritiesSupported = 1;
  usual.canUseHostPointerForRegisteredMem = 1;
  usual.hostRegisterSupported = 1;
  usual.memoryPoolsSupported = 1;
  usual.singleToDoublePrecisionPerfRatio = 2;
  return usual;
}

/// The properties of the host and of the x86_64 device: one memory for all, caches in place of shared memory.
void describe_host(cudaDeviceProp& properties) {
  properties.clockRate = host_clock_rate();
  properties.memoryClockRate = 1'600'000;  // of one channel of DDR4-3200, since the system does not tell
  properties.memoryBusWidth = 64;
  properties.l2CacheSize = host_cache_bytes();
  properties.integrated = 1;
  properties.hostNativeAtomicSupported = 1;
  properties.pageableMemoryAccess = 1;
  properties.concurrentManagedAccess = 1;
  properties.pageableMemoryAccessUsesHostPageTables = 1;
  properties.directManagedMemAccessFromHost = 1;
}

void describe_nvidia(cudaDeviceProp& properties, exec::Device device) {
  const std::optional<int> ordinal = nvidia::ordinal_of(device);
  if (!ordinal) {
    return;
  }
  for (int number = 1; number < cudaDevAttrMax; ++number) {
    const auto attribute = static_cast<cudaDeviceAttr>(number);
    const DeviceField field = field_of(properties, attribute);
    if (field.number == nullptr && field.size == nullptr) {
      continue;
    }
    if (const std::optional<int> value = nvidia::attribute(*ordinal, attribute)) {
      if (field.number != nullptr) {
        *field.number = *value;
      } else {
        *field.size = static_cast<std::size_t>(std::max(*value, 0));
      }
    }
  }
  if (const std::optional<cudaUUID_t> uuid = nvidia::uuid(*ordinal)) {
    properties.uuid = *uuid;
  }
  // exec's run-time library keeps some of a block's shared memory.
  properties.sharedMemPerBlockOptin = std::min(properties.sharedMemPerBlockOptin, device.properties().scratch_bytes);
  properties.deviceOverlap = properties.asyncEngineCount > 0 ? 1 : 0;
}

}  // namespace

const cudaDeviceProp& usual_launch_limits() {
  static const cudaDeviceProp usual = usual_properties();
  return usual;
}

cudaDeviceProp describe(int number, exec::Device device) {
  const exec::DeviceProperties& known = device.properties();
  cudaDeviceProp properties = usual_properties();
  std::memcpy(properties.name, known.name.data(), std::min(known.name.size(), sizeof properties.name - 1));
  std::memcpy(properties.uuid.bytes, "portable-hpc", 12);
  properties.uuid.bytes[15] = static_cast<char>(number);
  properties.pciBusID = number;
  properties.totalGlobalMem = known.memory_bytes;
  properties.multiProcessorCount = std::max(known.compute_units, 1);
  switch (known.kind) {
    case exec::DeviceKind::host:
    case exec::DeviceKind::x86_64:
      describe_host(properties);
      break;
    case exec::DeviceKind::nvidia:
      properties.asyncEngineCount = 1;
      describe_nvidia(properties, device);
      break;
    case exec::DeviceKind::amd:
      properties.asyncEngineCount = 1;
      properties.sharedMemPerBlockOptin = known.scratch_bytes;
      properties.sharedMemPerBlock = std::min(properties.sharedMemPerBlock, known.scratch_bytes);
      break;
  }
  return properties;
}

}  // namespace phpc::cuda
