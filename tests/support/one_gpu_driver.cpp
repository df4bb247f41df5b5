// A libcuda.so.1 that shows one GPU of architecture sm_30, for which no compiler makes images any more, and does nothing else.
#include <cstddef>
#include <cstdint>
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
int cuPointerGetAttribute(void* /*value*/, int /*attribute*/, std::uint64_t /*address*/) {
  return not_supported;
}
int cuModuleLoadData(void** /*module*/, const void* /*image*/) {
  return not_supported;
}
int cuModuleGetFunction(void** /*function*/, void* /*module*/, const char* /*name*/) {
  return not_supported;
}
int cuModuleGetGlobal_v2(std::uint64_t* /*address*/, std::size_t* /*size*/, void* /*module*/, const char* /*name*/) {
  return not_supported;
}
int cuFuncSetAttribute(void* /*function*/, int /*attribute*/, int /*value*/) {
  return not_supported;
}
int cuFuncGetAttribute(int* /*value*/, int /*attribute*/, void* /*function*/) {
  return not_supported;
}
int cuStreamCreate(void** /*stream*/, unsigned /*flags*/) {
  return not_supported;
}
int cuStreamSynchronize(void* /*stream*/) {
  return not_supported;
}
int cuEventCreate(void** /*event*/, unsigned /*flags*/) {
  return not_supported;
}
int cuEventRecord(void* /*event*/, void* /*stream*/) {
  return not_supported;
}
int cuEventQuery(void* /*event*/) {
  return not_supported;
}
int cuEventSynchronize(void* /*event*/) {
  return not_supported;
}
int cuEventElapsedTime(float* /*milliseconds*/, void* /*begin*/, void* /*end*/) {
  return not_supported;
}
int cuMemcpyHtoDAsync_v2(std::uint64_t /*to*/, const void* /*from*/, std::size_t /*bytes*/, void* /*stream*/) {
  return not_supported;
}
int cuMemcpyDtoHAsync_v2(void* /*to*/, std::uint64_t /*from*/, std::size_t /*bytes*/, void* /*stream*/) {
  return not_supported;
}
int cuMemcpyDtoDAsync_v2(std::uint64_t /*to*/, std::uint64_t /*from*/, std::size_t /*bytes*/, void* /*stream*/) {
  return not_supported;
}
int cuMemcpyHtoD_v2(std::uint64_t /*to*/, const void* /*from*/, std::size_t /*bytes*/) {
  return not_supported;
}
int cuMemcpyDtoH_v2(void* /*to*/, std::uint64_t /*from*/, std::size_t /*bytes*/) {
  return not_supported;
}
int cuLaunchKernel(void* /*function*/, unsigned /*x*/, unsigned /*y*/, unsigned /*z*/, unsigned /*threads_x*/,
                   unsigned /*threads_y*/, unsigned /*threads_z*/, unsigned /*shared*/, void* /*stream*/, void** /*parameters*/,
                   void** /*extra*/) {
  return not_supported;
}
int cuGetErrorName(int /*status*/, const char** /*name*/) {
  return not_supported;
}
int cuGetErrorString(int /*status*/, const char** /*text*/) {
  return not_supported;
}
}
