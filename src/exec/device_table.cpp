#include "exec/device_table.hpp"

#include <omp.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <numeric>
#include <optional>
#include <utility>

#include "exec/gpu_images.hpp"
#include "exec/host_memory.hpp"
#include "exec/images/registered_images.hpp"
#include "exec/nvidia/devices.hpp"
#include "exec/nvidia/launches.hpp"
#include "phpc/core/error.hpp"
#include "phpc/exec/launch.hpp"

namespace phpc::exec {

namespace {

#if PHPC_WITH_OFFLOAD

/// A kernel that tells which image a device runs.
struct ProbeKernel {
  struct Scratch {};
  using RunsOnUnknownDevice = void;
  static constexpr int team_size = 1;
  int* answer;

  [[gnu::always_inline]] void operator()(const Team& team, Scratch& /*scratch*/) const {
    if (team.rank() == 0) {
#if defined(__NVPTX__)
      *answer = static_cast<int>(DeviceKind::nvidia);
#elif defined(__AMDGCN__)
      *answer = static_cast<int>(DeviceKind::amd);
#else
      *answer = static_cast<int>(DeviceKind::x86_64);
#endif
    }
  }
};

/// The kind of a device and, if it is NVIDIA's, the driver's number: found by its memory, or by a region that runs there.
struct Probed {
  DeviceKind kind;
  std::optional<int> driver_ordinal{};
};

Probed probe(int omp_device) {
  const int host = omp_get_initial_device();
  auto* const answer = static_cast<int*>(omp_target_alloc(sizeof(int), omp_device));
  PHPC_VALIDATE(answer != nullptr, ErrorKind::device,
                "cannot open OpenMP device " + std::to_string(omp_device) +
                    " (it refused a first allocation of 4 bytes); look at the run-time library's message above");
  const std::optional<int> ordinal = nvidia::ordinal_of(answer);
  if (ordinal && nvidia::take_launches(omp_device, *ordinal)) {
    omp_target_free(answer, omp_device);
    return {DeviceKind::nvidia, ordinal};
  }
  int fallback = 0;
  int kind = static_cast<int>(DeviceKind::host);
  detail::run_region(detail::LeaguePlan{.omp_device = omp_device, .teams = 1, .team_size = 1}, 1, 0, ProbeKernel{answer},
                     &fallback);
  const bool copied = omp_target_memcpy(&kind, answer, sizeof kind, 0, 0, host, omp_device) == 0;
  omp_target_free(answer, omp_device);
  PHPC_VALIDATE(fallback == 0 && copied, ErrorKind::device,
                "cannot run on OpenMP device " + std::to_string(omp_device) +
                    " (a probe region did not reach it); was the program built for this device? see `portable-hpc --version -v`");
  return {static_cast<DeviceKind>(kind), ordinal};
}

/// The kind of a device; `otherwise` for one that cannot be opened.
DeviceKind probe_or(int omp_device, DeviceKind otherwise) {
  try {
    return probe(omp_device).kind;
  } catch (const Error&) {
    return otherwise;
  }
}

#endif

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      const std::size_t colon = line.find(": ");
      return colon == std::string::npos ? "host" : line.substr(colon + 2);
    }
  }
  return "host";
}

}  // namespace

const DeviceProperties& host_properties() {
  static const DeviceProperties properties = [] {
    DeviceProperties host;
    host.kind = DeviceKind::host;
    host.name = processor_name();
    host.memory_bytes = host_memory().total;
    const long cache = sysconf(_SC_LEVEL2_CACHE_SIZE);  // a host team's scratch should stay in its core's cache
    host.scratch_bytes = cache > 0 ? static_cast<std::size_t>(cache) : std::size_t{1} << 20;
    host.compute_units = omp_get_max_threads();
    return host;
  }();
  return properties;
}

std::uint64_t host_free_memory_bytes() {
  return host_memory().free;
}

DeviceTable& DeviceTable::get() {
  static DeviceTable table;
  return table;
}

// libomptarget lists the devices of one plugin after another (LLVM 19 and 22: x86_64 first, then the GPUs). What the drivers
// count, of the GPUs that there is an image for, says which are GPUs; open() checks that for each device used. No device is
// opened but one GPU, if there is any.
DeviceTable::DeviceTable() {
#if PHPC_WITH_OFFLOAD
  keep_images_to_the_end();
  kmp_set_warnings_off();  // libomp advises on the size of leagues that another thread than the first one launches on x86_64
  const int count = omp_get_num_devices();
  const std::string targets = offload_targets();
  std::vector<std::pair<int, int>> with_image;  // the image's place, the driver's ordinal: the order of OpenMP's devices
  for (int ordinal = 0; ordinal < nvidia::device_count(); ++ordinal) {
    const nvidia::Facts facts = nvidia::facts(ordinal);
    if (const std::optional<int> image = nvidia_image(targets, facts.major, facts.minor)) {
      with_image.emplace_back(*image, ordinal);
    }
  }
  std::sort(with_image.begin(), with_image.end());
  std::vector<int> ordinals;
  ordinals.reserve(with_image.size());
  for (const auto& [image, ordinal] : with_image) {
    ordinals.push_back(ordinal);
  }
  const int nvidia_count = std::min(static_cast<int>(ordinals.size()), count);
  const int first_nvidia = count - nvidia_count;
  if (nvidia_count > 0) {
    nvidia::enable_spin_wait(ordinals[0]);
  }
  std::vector<DeviceKind> kinds(static_cast<std::size_t>(count), DeviceKind::x86_64);
  // The probe of a GPU that cannot be used right now fails; open() will say so to who asks for that GPU.
  if (nvidia_count > 0 && probe_or(first_nvidia, DeviceKind::nvidia) == DeviceKind::nvidia) {
    std::fill(kinds.begin() + first_nvidia, kinds.end(), DeviceKind::nvidia);
  } else if ((nvidia::device_count() > 0 && targets.find("nvptx") != std::string::npos) ||
             (access("/dev/kfd", F_OK) == 0 && targets.find("amdgcn") != std::string::npos)) {
    for (int number = 0; number < count; ++number) {
      kinds[static_cast<std::size_t>(number)] = probe_or(number, DeviceKind::x86_64);
    }
  }
  // The drivers' and the run-time library's views differ: the GPUs are taken to be in the drivers' order.
  if (const auto found = std::count(kinds.begin(), kinds.end(), DeviceKind::nvidia); found != nvidia_count) {
    ordinals.resize(static_cast<std::size_t>(found));
    std::iota(ordinals.begin(), ordinals.end(), 0);
  }
  for (const bool gpus : {true, false}) {
    std::size_t nvidia_number = 0;
    for (int number = 0; number < count; ++number) {
      const DeviceKind kind = kinds[static_cast<std::size_t>(number)];
      if ((kind == DeviceKind::x86_64) == gpus) {
        continue;
      }
      Entry& entry = entries_.emplace_back();
      entry.omp_device = number;
      entry.kind = kind;
      entry.driver_ordinal = kind == DeviceKind::nvidia ? ordinals[nvidia_number++] : -1;
    }
    if (gpus) {
      gpus_ = static_cast<int>(entries_.size());
    }
  }
#endif
}

void DeviceTable::open(int number) {
#if PHPC_WITH_OFFLOAD
  Entry& entry = entries_[static_cast<std::size_t>(number)];
  if (entry.opened) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  if (entry.opened) {
    return;
  }
  if (entry.kind == DeviceKind::nvidia) {
    nvidia::enable_spin_wait(entry.driver_ordinal);
  }
  const Probed found = probe(entry.omp_device);
  PHPC_VALIDATE(found.kind == entry.kind, ErrorKind::device,
                "device " + std::to_string(number) + " is of kind " + std::string(to_string(found.kind)) + ", not " +
                    std::string(to_string(entry.kind)) +
                    " as its neighbours; hide devices of other kinds (CUDA_VISIBLE_DEVICES)");
  entry.opened = true;
#else
  static_cast<void>(number);
#endif
}

const DeviceProperties& DeviceTable::properties(int number) {
  Entry& entry = entries_[static_cast<std::size_t>(number)];
  if (!entry.described) {
    const std::scoped_lock lock(mutex_);
    if (!entry.described) {
      describe(entry);
      entry.described = true;
    }
  }
  return entry.properties;
}

void DeviceTable::describe(Entry& entry) {
  DeviceProperties& properties = entry.properties;
  switch (entry.kind) {
    case DeviceKind::nvidia: {
      const nvidia::Facts facts = nvidia::facts(entry.driver_ordinal);
      properties.name = facts.name.empty() ? "NVIDIA GPU" : facts.name;
      properties.memory_bytes = facts.memory_bytes;
      // The OpenMP run-time library keeps about 1 KiB of a team's shared memory: 227 KiB asked for was refused.
      properties.scratch_bytes = facts.scratch_bytes > 4096 ? facts.scratch_bytes - 4096 : static_scratch_limit;
      properties.max_team_size = std::max(facts.max_team_size, 1);
      properties.compute_units = facts.multiprocessors;
      break;
    }
    case DeviceKind::amd:
      properties.name = "AMD GPU";
      properties.scratch_bytes = 63 * 1024;
      properties.max_team_size = 1024;
      break;
    case DeviceKind::x86_64:
    case DeviceKind::host:
      properties = host_properties();
      properties.max_team_size = 1024;
      properties.compute_units = omp_get_num_procs();
      break;
  }
  properties.kind = entry.kind;
}

}  // namespace phpc::exec
