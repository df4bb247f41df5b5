#include "phpc/exec/device.hpp"

#include <omp.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "exec/device_table.hpp"
#include "exec/nvidia/devices.hpp"
#include "phpc/core/error.hpp"
#include "phpc/core/nearest_word.hpp"
#include "phpc/core/parse.hpp"

namespace phpc::exec {

namespace {

/// Whether OMP_TARGET_OFFLOAD forbids the host. The program enforces this itself: a build without offload targets ignores the
/// variable.
bool offload_is_mandatory() {
  const char* const policy = std::getenv("OMP_TARGET_OFFLOAD");
  return policy != nullptr && lower_case(trimmed(policy)) == "mandatory";
}

void refuse_host_if_mandatory(std::string_view spec) {
  PHPC_VALIDATE(
      !offload_is_mandatory(), ErrorKind::device,
      "--device " + std::string(spec) +
          " means the host, which OMP_TARGET_OFFLOAD=MANDATORY forbids (no GPU that this build can use is visible, or the "
          "host was named); list devices with `portable-hpc devices`");
}

[[noreturn]] void absent(std::string_view spec) {
  static const std::string known[] = {"auto", "host", "all", "gpu", "nvidia", "amd", "x86_64"};
  const DeviceTable& table = DeviceTable::get();
  const std::string without_image = gpus_without_image();
  fail(ErrorKind::device, "no device '" + std::string(spec) + "'" + did_you_mean(spec, known) + " (" +
                              std::to_string(table.gpus()) + " GPU and " + std::to_string(table.size() - table.gpus()) +
                              " x86_64 offload devices are visible); list them with `portable-hpc devices`" +
                              (without_image.empty() ? "" : "; " + without_image));
}

/// Reads "0" or "0,1,...", each number once.
std::vector<index_t> parse_numbers(std::string_view list, std::string_view spec) {
  std::vector<index_t> numbers;
  std::size_t start = 0;
  while (start <= list.size()) {
    const std::size_t comma = std::min(list.find(',', start), list.size());
    const auto number = parse_integer(list.substr(start, comma - start));
    PHPC_VALIDATE(number.has_value() && *number >= 0, ErrorKind::usage,
                  "--device '" + std::string(spec) + "' is not a list of numbers; write 0 or 0,1");
    PHPC_VALIDATE(std::find(numbers.begin(), numbers.end(), *number) == numbers.end(), ErrorKind::usage,
                  "--device '" + std::string(spec) + "' names a device twice");
    numbers.push_back(*number);
    start = comma + 1;
  }
  return numbers;
}

/// A device named as other programs do, by a class and a number in it: "cuda:1".
struct ClassMember {
  DeviceKind kind = DeviceKind::host;  ///< host: a GPU of either kind
  index_t place = 0;
};

std::optional<ClassMember> parse_class(std::string_view wanted, std::string_view spec) {
  struct ClassName {
    std::string_view name;
    DeviceKind kind;
  };
  static constexpr ClassName names[] = {
      {"gpu", DeviceKind::host}, {"cuda", DeviceKind::nvidia}, {"nvidia", DeviceKind::nvidia}, {"hip", DeviceKind::amd},
      {"rocm", DeviceKind::amd}, {"amd", DeviceKind::amd},     {"x86_64", DeviceKind::x86_64}};
  const std::size_t colon = wanted.find(':');
  const auto* const known =
      std::find_if(std::begin(names), std::end(names), [&](const ClassName& one) { return one.name == wanted.substr(0, colon); });
  if (known == std::end(names)) {
    return std::nullopt;
  }
  const auto place = colon == std::string_view::npos ? 0 : parse_integer(wanted.substr(colon + 1));
  PHPC_VALIDATE(place.has_value() && *place >= 0, ErrorKind::usage,
                "--device '" + std::string(spec) + "' is no number of a device; write " + std::string(known->name) + " or " +
                    std::string(known->name) + ":0");
  return ClassMember{known->kind, *place};
}

/// The number among all devices of such a one; nullopt where the class has no such member.
std::optional<int> number_of(const ClassMember& wanted) {
  const DeviceTable& table = DeviceTable::get();
  index_t before = 0;
  for (int number = 0; number < table.size(); ++number) {
    const bool is_member = wanted.kind == DeviceKind::host ? number < table.gpus() : table.kind(number) == wanted.kind;
    if (is_member && before++ == wanted.place) {
      return number;
    }
  }
  return std::nullopt;
}

bool matches(int number, std::string_view wanted) {
  DeviceTable& table = DeviceTable::get();
  return to_string(table.kind(number)).find(wanted) != std::string_view::npos ||
         lower_case(table.properties(number).name).find(wanted) != std::string::npos;
}

}  // namespace

std::string_view to_string(DeviceKind kind) {
  switch (kind) {
    case DeviceKind::host:
      return "host";
    case DeviceKind::x86_64:
      return "x86_64";
    case DeviceKind::nvidia:
      return "nvidia";
    case DeviceKind::amd:
      return "amd";
  }
  return "unknown";
}

std::vector<Device> Device::all() {
  std::vector<Device> devices{host()};
  DeviceTable& table = DeviceTable::get();
  for (int number = 0; number < table.size(); ++number) {
    devices.push_back(Device(number));
  }
  return devices;
}

DeviceKind Device::kind() const {
  return is_host() ? DeviceKind::host : DeviceTable::get().kind(number_);
}

bool Device::is_gpu() const {
  return exec::is_gpu(kind());
}

std::string Device::label() const {
  return is_host() ? "host" : std::to_string(number_);
}

const DeviceProperties& Device::properties() const {
  return is_host() ? host_properties() : DeviceTable::get().properties(number_);
}

std::uint64_t Device::free_memory_bytes() const {
  switch (kind()) {
    case DeviceKind::host:
    case DeviceKind::x86_64:
      return host_free_memory_bytes();
    case DeviceKind::nvidia:
      return nvidia::free_memory_bytes(DeviceTable::get().driver_ordinal(number_));
    case DeviceKind::amd:
      return 0;
  }
  return 0;
}

int Device::omp_device() const {
  return is_host() ? omp_get_initial_device() : DeviceTable::get().omp_device(number_);
}

void Device::open() const {
  if (!is_host()) {
    DeviceTable::get().open(number_);
  }
}

std::vector<Device> select_devices(std::string_view spec, const DeviceReport& report) {
  const std::string wanted = lower_case(trimmed(spec));
  PHPC_VALIDATE(!wanted.empty(), ErrorKind::usage, "--device is empty; give auto, host, all, a number or a name");
  std::vector<Device> chosen;
  if (wanted == "host" || wanted == "cpu") {
    refuse_host_if_mandatory(spec);
    return {Device::host()};
  }
  DeviceTable& table = DeviceTable::get();
  if (wanted == "auto" || wanted == "all") {
    for (int number = 0; number < table.gpus() && (wanted == "all" || chosen.empty()); ++number) {
      const Device gpu(number);
      try {
        gpu.open();
        chosen.push_back(gpu);
      } catch (const Error& error) {
        if (report) {
          report(error.what());
        }
      }
    }
    PHPC_VALIDATE(!chosen.empty() || wanted == "auto" || table.gpus() == 0, ErrorKind::device,
                  "no GPU can be opened; name another device, as `portable-hpc devices` lists them");
    if (chosen.empty()) {
      refuse_host_if_mandatory(spec);
      chosen.push_back(Device::host());
    }
  } else if (wanted[0] >= '0' && wanted[0] <= '9') {
    for (const index_t number : parse_numbers(wanted, spec)) {
      if (number >= table.size()) {
        absent(spec);
      }
      chosen.push_back(Device(static_cast<int>(number)));
    }
  } else if (const std::optional<ClassMember> member = parse_class(wanted, spec)) {
    if (const std::optional<int> number = number_of(*member)) {
      chosen.push_back(Device(*number));
    }
  } else {
    for (int number = 0; number < table.size() && chosen.empty(); ++number) {
      if (matches(number, wanted)) {
        chosen.push_back(Device(number));
      }
    }
  }
  if (chosen.empty()) {
    absent(spec);
  }
  for (const Device device : chosen) {
    device.open();
  }
  return chosen;
}

Device select_device(std::string_view spec, const DeviceReport& report) {
  const std::vector<Device> devices = select_devices(spec, report);
  PHPC_VALIDATE(devices.size() == 1, ErrorKind::usage,
                "--device '" + std::string(spec) + "' names " + std::to_string(devices.size()) + " devices where one is needed");
  return devices.front();
}

}  // namespace phpc::exec
