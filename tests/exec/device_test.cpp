#include "phpc/exec/device.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/exec/buffer.hpp"
#include "support/devices.hpp"

namespace phpc::exec {
namespace {

ErrorKind error_of(std::string_view spec) {
  try {
    select_devices(spec);
  } catch (const Error& error) {
    return error.kind();
  }
  ADD_FAILURE() << spec << " was accepted";
  return ErrorKind::io;
}

TEST(SelectDevices, HostAndAuto) {
  EXPECT_TRUE(select_device("host").is_host());
  EXPECT_TRUE(select_device(" HOST ").is_host());
  const Device chosen = select_device("auto");
  EXPECT_TRUE(chosen.is_host() || chosen.is_gpu()) << "auto must never take the x86_64 offload device";
}

TEST(SelectDevices, NamesOfOtherProgramsAreUnderstood) {
  EXPECT_TRUE(select_device("cpu").is_host());
  EXPECT_TRUE(select_device("CPU").is_host());
  const std::vector<Device> all = Device::all();
  struct Class {
    std::vector<std::string> names;
    std::vector<DeviceKind> kinds;
  };
  for (const Class& one : {Class{{"gpu"}, {DeviceKind::nvidia, DeviceKind::amd}}, Class{{"cuda", "nvidia"}, {DeviceKind::nvidia}},
                           Class{{"hip", "rocm", "amd"}, {DeviceKind::amd}}, Class{{"x86_64"}, {DeviceKind::x86_64}}}) {
    std::vector<Device> members;
    for (const Device device : all) {
      if (std::find(one.kinds.begin(), one.kinds.end(), device.kind()) != one.kinds.end()) {
        members.push_back(device);
      }
    }
    for (const std::string& name : one.names) {
      for (std::size_t place = 0; place < members.size(); ++place) {
        EXPECT_EQ(select_device(name + ":" + std::to_string(place)), members[place]) << name;
      }
      if (!members.empty()) {
        EXPECT_EQ(select_device(name), members.front()) << name;
      }
      EXPECT_EQ(error_of(name + ":" + std::to_string(members.size())), ErrorKind::device) << name;
      EXPECT_EQ(error_of(name + ":"), ErrorKind::usage) << name;
      EXPECT_EQ(error_of(name + ":-1"), ErrorKind::usage) << name;
      EXPECT_EQ(error_of(name + ":x"), ErrorKind::usage) << name;
    }
  }
}

TEST(SelectDevices, BadValuesAndAbsentDevicesAreErrors) {
  EXPECT_EQ(error_of(""), ErrorKind::usage);
  EXPECT_EQ(error_of("0x"), ErrorKind::usage);
  EXPECT_EQ(error_of("0,,1"), ErrorKind::usage);
  EXPECT_EQ(error_of("999"), ErrorKind::device);
  EXPECT_EQ(error_of("99999999999999999999"), ErrorKind::usage);
  EXPECT_EQ(error_of("-1"), ErrorKind::device);
  EXPECT_EQ(error_of("no-such-device"), ErrorKind::device);
}

TEST(SelectDevices, NumbersNameTheDevicesThatAllLists) {
  for (const Device device : Device::all()) {
    EXPECT_EQ(select_device(device.label()), device);
    EXPECT_FALSE(device.properties().name.empty());
    EXPECT_GE(device.properties().max_team_size, 1);
    EXPECT_GT(device.properties().scratch_bytes, 0U);
  }
}

TEST(SelectDevices, MandatoryOffloadRefusesTheHost) {
  const char* const before = std::getenv("OMP_TARGET_OFFLOAD");
  const std::string saved = before == nullptr ? "" : before;
  setenv("OMP_TARGET_OFFLOAD", "Mandatory", 1);
  EXPECT_EQ(error_of("host"), ErrorKind::device);
  const bool has_gpu = Device::all().size() > 1 && Device::all()[1].is_gpu();
  if (has_gpu) {
    EXPECT_TRUE(select_device("auto").is_gpu());
  } else {
    EXPECT_EQ(error_of("auto"), ErrorKind::device);
  }
  before == nullptr ? unsetenv("OMP_TARGET_OFFLOAD") : setenv("OMP_TARGET_OFFLOAD", saved.c_str(), 1);
}

// LLVM's x86_64 plugin would write them to /tmp, where they stay when the process is killed.
TEST(OpenDevice, ImagesAreLoadedFromMemory) {
  int used = 0;
  for (const Device device : Device::all()) {
    if (device.kind() == DeviceKind::x86_64) {
      device.open();
      ++used;
    }
  }
  std::ifstream maps("/proc/self/maps");
  int images = 0;
  for (std::string line; std::getline(maps, line);) {
    EXPECT_EQ(line.find("/tmp/tmpfile_"), std::string::npos) << line;
    images += line.find("/memfd:offload image") != std::string::npos ? 1 : 0;
  }
  EXPECT_GE(images, used);
}

TEST(SelectDevices, ReportsNothingWhereEveryGpuOpens) {
  std::vector<std::string> reports;
  const auto keep = [&](const std::string& why) { reports.push_back(why); };
  select_devices("auto", keep);
  select_devices("all", keep);
  EXPECT_EQ(reports, std::vector<std::string>{});
}

class Memory : public testing::TestWithParam<Device> {};

TEST_P(Memory, TooMuchIsAnErrorThatSaysHowMuch) {
  try {
    const Buffer<std::byte> buffer(GetParam(), index_t{1} << 50);
    FAIL() << "no machine has a pebibyte";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::memory);
    EXPECT_NE(std::string(error.what()).find("asked for 1.0 PiB"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("free"), std::string::npos) << error.what();
  }
}

TEST_P(Memory, BuffersMoveAndCopyParts) {
  const std::vector<int> values{1, 2, 3, 4, 5};
  Buffer<int> first(GetParam(), std::span<const int>(values));
  Buffer<int> second = std::move(first);
  EXPECT_EQ(first.size(), 0);
  std::vector<int> middle(3);
  second.copy_to(middle, 1);
  EXPECT_EQ(middle, (std::vector<int>{2, 3, 4}));
  const Buffer<int> empty(GetParam(), 0);
  EXPECT_EQ(empty.data(), nullptr);
}

INSTANTIATE_TEST_SUITE_P(Devices, Memory, testing::ValuesIn(test::devices()), test::DeviceName{});

}  // namespace
}  // namespace phpc::exec
