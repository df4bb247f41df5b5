#include "support/devices.hpp"

#include <cstdlib>

namespace phpc::exec {
void PrintTo(const Device& device, std::ostream* out) {
  *out << test::test_name(device);
}
}  // namespace phpc::exec

namespace phpc::test {

const std::vector<exec::Device>& devices() {
  static const std::vector<exec::Device> chosen = [] {
    if (const char* const spec = std::getenv("PHPC_TEST_DEVICE"); spec != nullptr) {
      return exec::select_devices(spec);
    }
    std::vector<exec::Device> some;
    bool x86_64_taken = false;
    for (const exec::Device device : exec::Device::all()) {
      const bool is_x86_64 = device.kind() == exec::DeviceKind::x86_64;
      if (!is_x86_64 || !x86_64_taken) {
        some.push_back(device);
      }
      x86_64_taken = x86_64_taken || is_x86_64;
    }
    return some;
  }();
  return chosen;
}

std::string test_name(exec::Device device) {
  return device.is_host() ? "host" : std::string(exec::to_string(device.kind())) + "_" + device.label();
}

}  // namespace phpc::test
