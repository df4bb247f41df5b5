#include "measure/gpu_runtimes.hpp"

#include <cstdlib>

#include "measure/shared_library.hpp"

namespace phpc::bench {

namespace {

constexpr int runtime_success = 0;
/// CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL and HIP_POINTER_ATTRIBUTE_DEVICE_ORDINAL.
constexpr int device_ordinal = 9;

/// An empty kernel in NVIDIA's intermediate language, which the driver compiles for the GPU that is there.
constexpr const char* empty_kernel =
    ".version 6.0\n"
    ".target sm_60\n"
    ".address_size 64\n"
    ".visible .entry empty_kernel() { ret; }\n";

/// Folders that variables of the environment name, then the usual one.
std::vector<std::string> folders_of(const std::vector<const char*>& variables, const std::string& below,
                                    const std::string& usual) {
  std::vector<std::string> folders;
  for (const char* const variable : variables) {
    if (const char* const folder = std::getenv(variable); folder != nullptr) {
      folders.push_back(folder + below);
    }
  }
  folders.push_back(usual + below);
  return folders;
}

}  // namespace

std::vector<std::string> CudaDriver::folders() {
  return folders_of({"CUDA_HOME", "CUDA_PATH"}, "/lib64", "/usr/local/cuda");
}

CudaDriver::CudaDriver() {
  const SharedLibrary driver({"libcuda.so.1"}, {});
  Status (*initialise)(unsigned) = nullptr;
  is_found_ = driver.load(initialise, "cuInit") && driver.load(pointer_attribute_, "cuPointerGetAttribute") &&
              driver.load(device_get_, "cuDeviceGet") && driver.load(retain_, "cuDevicePrimaryCtxRetain") &&
              driver.load(set_current_, "cuCtxSetCurrent") && driver.load(get_current_, "cuCtxGetCurrent") &&
              driver.load(wait_, "cuCtxSynchronize") && driver.load(module_load_, "cuModuleLoadData") &&
              driver.load(module_function_, "cuModuleGetFunction") && driver.load(launch_, "cuLaunchKernel") &&
              initialise(0) == runtime_success;
}

bool CudaDriver::use_device_of(const void* array) const {
  int ordinal = 0;
  int device = 0;
  Handle context = nullptr;
  return pointer_attribute_(&ordinal, device_ordinal, reinterpret_cast<std::uintptr_t>(array)) == runtime_success &&
         device_get_(&device, ordinal) == runtime_success && retain_(&context, device) == runtime_success &&
         set_current_(context) == runtime_success;
}

bool CudaDriver::wait() const {
  return wait_() == runtime_success;
}

bool CudaDriver::launch() const {
  Handle context = nullptr;
  if (get_current_(&context) != runtime_success) {
    return false;
  }
  if (context != context_) {
    Handle module = nullptr;  // stays loaded, as the context does
    if (module_load_(&module, empty_kernel) != runtime_success ||
        module_function_(&kernel_, module, "empty_kernel") != runtime_success) {
      return false;
    }
    context_ = context;
  }
  return launch_(kernel_, 1, 1, 1, 32, 1, 1, 0, nullptr, nullptr, nullptr) == runtime_success && wait();
}

std::vector<std::string> HipRuntime::folders() {
  return folders_of({"ROCM_PATH", "ROCM_HOME"}, "/lib", "/opt/rocm");
}

HipRuntime::HipRuntime() {
  const SharedLibrary runtime({"libamdhip64.so.7", "libamdhip64.so.6", "libamdhip64.so.5", "libamdhip64.so"}, folders());
  is_found_ = runtime.load(pointer_attribute_, "hipPointerGetAttribute") && runtime.load(set_device_, "hipSetDevice") &&
              runtime.load(wait_, "hipDeviceSynchronize");
}

bool HipRuntime::use_device_of(const void* array) const {
  int ordinal = 0;
  return pointer_attribute_(&ordinal, device_ordinal, const_cast<void*>(array)) == runtime_success &&
         set_device_(ordinal) == runtime_success;
}

bool HipRuntime::wait() const {
  return wait_() == runtime_success;
}

}  // namespace phpc::bench
