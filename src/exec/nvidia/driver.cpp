#include "exec/nvidia/driver.hpp"

#include <dlfcn.h>

#include <type_traits>

namespace phpc::exec::nvidia {

const Driver& Driver::get() {
  static const Driver driver;
  return driver;
}

Driver::Driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_GLOBAL);
  if (library == nullptr) {
    return;
  }
  bool complete = true;
  const auto load = [&](auto& function, const char* symbol) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, symbol));
    complete = complete && function != nullptr;
  };
  Status (*initialise)(unsigned) = nullptr;
  Status (*device_count)(int*) = nullptr;
  load(initialise, "cuInit");
  load(device_count, "cuDeviceGetCount");
  load(device_get, "cuDeviceGet");
  load(device_name, "cuDeviceGetName");
  load(device_memory, "cuDeviceTotalMem_v2");
  load(device_attribute, "cuDeviceGetAttribute");
  load(set_flags, "cuDevicePrimaryCtxSetFlags_v2");
  load(retain, "cuDevicePrimaryCtxRetain");
  load(push, "cuCtxPushCurrent_v2");
  load(pop, "cuCtxPopCurrent_v2");
  load(memory_info, "cuMemGetInfo_v2");
  load(pointer_attribute, "cuPointerGetAttribute");
  load(module_load, "cuModuleLoadData");
  load(module_function, "cuModuleGetFunction");
  load(module_global, "cuModuleGetGlobal_v2");
  load(function_set_attribute, "cuFuncSetAttribute");
  load(function_attribute, "cuFuncGetAttribute");
  load(stream_create, "cuStreamCreate");
  load(stream_wait, "cuStreamSynchronize");
  load(event_create, "cuEventCreate");
  load(event_record, "cuEventRecord");
  load(event_query, "cuEventQuery");
  load(event_wait, "cuEventSynchronize");
  load(event_elapsed, "cuEventElapsedTime");
  load(copy_in, "cuMemcpyHtoD_v2");
  load(copy_out, "cuMemcpyDtoH_v2");
  load(copy_in_stream, "cuMemcpyHtoDAsync_v2");
  load(copy_out_stream, "cuMemcpyDtoHAsync_v2");
  load(copy_within_stream, "cuMemcpyDtoDAsync_v2");
  load(launch, "cuLaunchKernel");
  load(error_name, "cuGetErrorName");
  load(error_text, "cuGetErrorString");
  int found = 0;
  if (complete && initialise(0) == success && device_count(&found) == success) {
    count = found;
  }
}

std::string described(Status status) {
  const Driver& driver = Driver::get();
  const char* name = nullptr;
  const char* text = nullptr;
  if (driver.error_name == nullptr || driver.error_name(status, &name) != success ||
      driver.error_text(status, &text) != success) {
    return "CUDA's driver says " + std::to_string(status);
  }
  return std::string(text) + " (" + name + ")";
}

}  // namespace phpc::exec::nvidia
