#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace phpc::bench {

/// What transforms by cuFFT need of NVIDIA's driver: the device of an array, waiting, an empty kernel. By the signatures of
/// cuda.h.
class CudaDriver {
 public:
  static constexpr const char* library = "NVIDIA's driver (libcuda.so.1)";
  /// Folders of libraries of CUDA.
  static std::vector<std::string> folders();

  CudaDriver();
  /// All functions are there.
  [[nodiscard]] bool is_found() const { return is_found_; }
  /// Makes the device current on which an array lies. False where it lies on none.
  [[nodiscard]] bool use_device_of(const void* array) const;
  /// Waits for all work on the current device. False where some of it failed.
  [[nodiscard]] bool wait() const;
  /// Launches an empty kernel on the current device and waits for it. False where that cannot be.
  [[nodiscard]] bool launch() const;

 private:
  using Status = int;
  using Handle = void*;
  Status (*pointer_attribute_)(void*, int, std::uintptr_t) = nullptr;
  Status (*device_get_)(int*, int) = nullptr;
  Status (*retain_)(Handle*, int) = nullptr;
  Status (*set_current_)(Handle) = nullptr;
  Status (*get_current_)(Handle*) = nullptr;
  Status (*wait_)() = nullptr;
  Status (*module_load_)(Handle*, const void*) = nullptr;
  Status (*module_function_)(Handle*, Handle, const char*) = nullptr;
  Status (*launch_)(Handle, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, Handle, void**,
                    void**) = nullptr;
  bool is_found_ = false;
  mutable Handle kernel_ = nullptr;   ///< of the context below
  mutable Handle context_ = nullptr;  ///< that the kernel was loaded into
};

/// The same of AMD's run-time library, by the signatures of hip_runtime_api.h. It has no launch: no kernel comes as text.
class HipRuntime {
 public:
  static constexpr const char* library = "AMD's run-time library (libamdhip64.so)";
  static std::vector<std::string> folders();

  HipRuntime();
  [[nodiscard]] bool is_found() const { return is_found_; }
  [[nodiscard]] bool use_device_of(const void* array) const;
  [[nodiscard]] bool wait() const;
  [[nodiscard]] static bool launch() { return false; }

 private:
  int (*pointer_attribute_)(void*, int, void*) = nullptr;
  int (*set_device_)(int) = nullptr;
  int (*wait_)() = nullptr;
  bool is_found_ = false;
};

}  // namespace phpc::bench
