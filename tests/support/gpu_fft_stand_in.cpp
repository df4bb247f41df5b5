// A stand-in for a GPU vendor's libraries, in the host's memory: cuFFT and NVIDIA's driver or, with PHPC_HIP, hipFFT and AMD's
// run-time library. Transforms run when the device is waited for, not before; they are sums by the definition, for one axis.
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace {

std::vector<std::function<void()>>& queued() {
  static std::vector<std::function<void()>> work;
  return work;
}

int run_queued() {
  for (const auto& work : queued()) {
    work();
  }
  queued().clear();
  return 0;
}

struct Plan {
  long long length = 0, stride = 1, batch = 0;
  bool are_columns = false;
  int type = 0;
};

std::vector<Plan>& plans() {
  static std::vector<Plan> all;
  return all;
}

constexpr int invalid_plan = 1;
constexpr int invalid_type = 3;

/// Takes numbers of `In`, gives numbers of `Out`; half spectra where one of them is real.
template <class Real, bool RealIn, bool RealOut>
int execute(std::uintptr_t handle, int type, void* in, void* out, int direction) {
  if (handle == 0 || handle > plans().size()) {
    return invalid_plan;
  }
  const Plan plan = plans()[handle - 1];
  if (plan.type != type) {
    return invalid_type;
  }
  queued().push_back([=] {
    using Number = std::complex<double>;
    const long long n = plan.length;
    const long long half = n / 2 + 1;
    const long long distance_in = plan.are_columns ? 1 : RealOut ? half : n;
    const long long distance_out = plan.are_columns ? 1 : RealIn ? half : n;
    for (long long line = 0; line < plan.batch; ++line) {
      std::vector<Number> x(static_cast<std::size_t>(n));
      for (long long j = 0; j < n; ++j) {
        const bool is_mirrored = RealOut && j >= half;
        const long long at = line * distance_in + (is_mirrored ? n - j : j) * plan.stride;
        if constexpr (RealIn) {
          x[static_cast<std::size_t>(j)] = static_cast<const Real*>(in)[at];
        } else {
          const Number value(static_cast<const std::complex<Real>*>(in)[at]);
          x[static_cast<std::size_t>(j)] = is_mirrored ? std::conj(value) : value;
        }
      }
      for (long long k = 0; k < (RealIn ? half : n); ++k) {
        Number sum = 0;
        for (long long j = 0; j < n; ++j) {
          sum += x[static_cast<std::size_t>(j)] *
                 std::polar(1.0, direction * 2 * std::numbers::pi * static_cast<double>(j * k % n) / static_cast<double>(n));
        }
        const long long at = line * distance_out + k * plan.stride;
        if constexpr (RealOut) {
          static_cast<Real*>(out)[at] = static_cast<Real>(sum.real());
        } else {
          static_cast<std::complex<Real>*>(out)[at] = std::complex<Real>(sum);
        }
      }
    }
  });
  return 0;
}

}  // namespace

#ifdef PHPC_HIP
#define VENDOR(name) hipfft##name
using Handle = void*;
#else
#define VENDOR(name) cufft##name
using Handle = int;
#endif

namespace {
std::uintptr_t number_of(Handle handle) {
  return (std::uintptr_t)handle;  // of an integer or a pointer
}
}  // namespace

extern "C" {

int VENDOR(Create)(Handle* handle) {
  plans().push_back({});
  *handle = (Handle)plans().size();
  return 0;
}
int VENDOR(MakePlanMany64)(Handle handle, int rank, long long* n, long long* inembed, long long istride, long long idist,
                           long long* onembed, long long ostride, long long odist, int type, long long batch, std::size_t* work) {
  const bool are_columns = inembed != nullptr;
  if (rank != 1 || (inembed == nullptr) != (onembed == nullptr) ||
      (are_columns && (idist != 1 || odist != 1 || istride != ostride))) {
    return invalid_plan;
  }
  plans()[number_of(handle) - 1] = {n[0], are_columns ? istride : 1, batch, are_columns, type};
  *work = 0;
  return n[0] > 1000000 ? 2 : 0;  // no memory
}
int VENDOR(Destroy)(Handle) {
  return 0;
}
int VENDOR(GetVersion)(int* version) {
  *version = 12104;
  return 0;
}
int VENDOR(ExecC2C)(Handle handle, void* in, void* out, int direction) {
  return execute<float, false, false>(number_of(handle), 0x29, in, out, direction);
}
int VENDOR(ExecZ2Z)(Handle handle, void* in, void* out, int direction) {
  return execute<double, false, false>(number_of(handle), 0x69, in, out, direction);
}
int VENDOR(ExecR2C)(Handle handle, void* in, void* out) {
  return execute<float, true, false>(number_of(handle), 0x2a, in, out, -1);
}
int VENDOR(ExecD2Z)(Handle handle, void* in, void* out) {
  return execute<double, true, false>(number_of(handle), 0x6a, in, out, -1);
}
int VENDOR(ExecC2R)(Handle handle, void* in, void* out) {
  return execute<float, false, true>(number_of(handle), 0x2c, in, out, 1);
}
int VENDOR(ExecZ2D)(Handle handle, void* in, void* out) {
  return execute<double, false, true>(number_of(handle), 0x6c, in, out, 1);
}

#ifdef PHPC_HIP
int hipPointerGetAttribute(void* data, int attribute, void* array) {
  *static_cast<int*>(data) = 0;
  return attribute == 9 && array != nullptr ? 0 : 1;
}
int hipSetDevice(int device) {
  return device;
}
int hipDeviceSynchronize() {
  return run_queued();
}
#else
int cuInit(unsigned) {
  return 0;
}
int cuPointerGetAttribute(void* data, int attribute, std::uintptr_t array) {
  *static_cast<int*>(data) = 0;
  return attribute == 9 && array != 0 ? 0 : 1;
}
int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return 0;
}
int cuDevicePrimaryCtxRetain(void** context, int device) {
  *context = &plans();
  return device;
}
int cuCtxSetCurrent(void*) {
  return 0;
}
int cuCtxGetCurrent(void** context) {
  *context = &plans();
  return 0;
}
int cuCtxSynchronize() {
  return run_queued();
}
int cuModuleLoadData(void** module, const void* image) {
  *module = const_cast<void*>(image);
  return 0;
}
int cuModuleGetFunction(void** function, void* module, const char*) {
  *function = module;
  return 0;
}
int cuLaunchKernel(void* function, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void*, void**, void**) {
  return function == nullptr ? 1 : 0;
}
#endif
}
