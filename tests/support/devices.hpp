#pragma once
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "phpc/exec/device.hpp"

namespace phpc::exec {
/// How a parameterised test prints a device.
void PrintTo(const Device& device, std::ostream* out);
}  // namespace phpc::exec

namespace phpc::test {

/// The devices that every kernel test runs on: the host, one x86_64 offload device, and each GPU.
/// PHPC_TEST_DEVICE=SPEC in the environment takes those of `--device SPEC` instead.
const std::vector<exec::Device>& devices();

/// "host", "x86_64_1": a name that GoogleTest accepts for a parameter.
std::string test_name(exec::Device device);

/// test_name for INSTANTIATE_TEST_SUITE_P.
struct DeviceName {
  std::string operator()(const testing::TestParamInfo<exec::Device>& parameter) const { return test_name(parameter.param); }
};

}  // namespace phpc::test
