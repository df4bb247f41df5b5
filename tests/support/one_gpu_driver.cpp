// A libcuda.so.1 that shows one GPU of architecture sm_30, for which no compiler makes images any more, and does nothing else.
#include <cstddef>
#include <cstdio>

namespace {

constexpr int success = 0;
constexpr int not_supported = 801;

}  // namespace

extern "C" {

int cuInit(unsigned /*flags*/) {
  return success;
}
int cuDeviceGetCount(int* count) {
  *count = 1;
  return success;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return success;
}
int cuDeviceGetName(char* name, int size, int /*device*/) {
  std::snprintf(name, static_cast<std::size_t>(size), "Example K40");
  return success;
}
int cuDeviceTotalMem_v2(std::size_t* bytes, int /*device*/) {
  *bytes = std::size_t{16} << 30;
  return success;
}
int cuDeviceGetAttribute(int* value, int attribute, int /*device*/) {
  *value = attribute == 75 ? 3 : attribute == 76 ? 0 : 1;  // CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, _MINOR
  return success;
}
int cuDevicePrimaryCtxSetFlags_v2(int /*device*/, unsigned /*flags*/) {
  return not_supported;
}
int cuDevicePrimaryCtxRetain(void** /*context*/, int /*device*/) {
  return not_supported;
}
int cuCtxPushCurrent_v2(void* /*context*/) {
  return not_supported;
}
int cuCtxPopCurrent_v2(void** /*context*/) {
  return not_supported;
}
int cuMemGetInfo_v2(std::size_t* /*available*/, std::size_t* /*total*/) {
  return not_supported;
}
}
