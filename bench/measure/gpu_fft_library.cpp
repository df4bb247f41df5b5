#include <fmt/format.h>

#include "measure/fft_library.hpp"
#include "measure/gpu_runtimes.hpp"
#include "measure/shared_library.hpp"
#include "phpc/core/error.hpp"

namespace phpc::bench {

namespace {

using Status = int;
constexpr Status success = 0;
constexpr int gpu_forward = -1;
constexpr int gpu_backward = 1;

/// Names of a vendor's library; its functions and constants are cuFFT's under another prefix.
struct Cufft {
  using Runtime = CudaDriver;
  using Handle = int;
  static constexpr const char* name = "cuFFT";
  static constexpr const char* prefix = "cufft";
  static std::vector<std::string> files() { return {"libcufft.so.12", "libcufft.so.11", "libcufft.so"}; }
};
struct Hipfft {
  using Runtime = HipRuntime;
  using Handle = void*;
  static constexpr const char* name = "hipFFT";
  static constexpr const char* prefix = "hipfft";
  static std::vector<std::string> files() { return {"libhipfft.so.0", "libhipfft.so"}; }
};

/// The library's functions, by the signatures of cufft.h and hipfft.h.
template <class Vendor>
struct GpuFunctions {
  using Handle = typename Vendor::Handle;
  Status (*create)(Handle*) = nullptr;
  Status (*make_many)(Handle, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,
                      long long ostride, long long odist, int type, long long batch, std::size_t* work) = nullptr;
  Status (*destroy)(Handle) = nullptr;
  Status (*version)(int*) = nullptr;
  Status (*complex[2])(Handle, void* in, void* out, int direction) = {};  ///< single, double
  Status (*to_complex[2])(Handle, void* in, void* out) = {};
  Status (*to_real[2])(Handle, void* in, void* out) = {};

  bool load(const SharedLibrary& library) {
    const std::string prefix = Vendor::prefix;
    return library.load(create, prefix + "Create") && library.load(make_many, prefix + "MakePlanMany64") &&
           library.load(destroy, prefix + "Destroy") && library.load(version, prefix + "GetVersion") &&
           library.load(complex[0], prefix + "ExecC2C") && library.load(complex[1], prefix + "ExecZ2Z") &&
           library.load(to_complex[0], prefix + "ExecR2C") && library.load(to_complex[1], prefix + "ExecD2Z") &&
           library.load(to_real[0], prefix + "ExecC2R") && library.load(to_real[1], prefix + "ExecZ2D");
  }
};

/// CUFFT_C2C and so on.
int type_of(const FftProblem& problem) {
  switch (problem.kind) {
    case FftProblem::Kind::real_to_complex:
      return problem.is_double ? 0x6a : 0x2a;
    case FftProblem::Kind::complex_to_real:
      return problem.is_double ? 0x6c : 0x2c;
    case FftProblem::Kind::complex_to_complex:
      break;
  }
  return problem.is_double ? 0x69 : 0x29;
}

template <class Vendor>
class GpuPlan final : public FftLibraryPlan {
 public:
  GpuPlan(const GpuFunctions<Vendor>& functions, const typename Vendor::Runtime& runtime, const FftProblem& problem, void* in,
          void* out)
      : functions_(functions), runtime_(runtime), problem_(problem), in_(in), out_(out) {
    PHPC_VALIDATE(runtime.use_device_of(in), ErrorKind::device,
                  fmt::format("{} does not know on which device an array for {} lies", Vendor::Runtime::library, Vendor::name));
    check(functions_.create(&handle_), "makes no plan");
    std::vector<long long> lengths(problem.lengths.begin(), problem.lengths.end());
    long long* const embedding = problem.are_columns ? lengths.data() : nullptr;
    const long long stride = problem.are_columns ? problem.batch : 1;
    std::size_t work = 0;
    const Status made = functions_.make_many(handle_, static_cast<int>(lengths.size()), lengths.data(), embedding, stride, 1,
                                             embedding, stride, 1, type_of(problem), problem.batch, &work);
    if (made != success) {
      functions_.destroy(handle_);
    }
    check(made, "makes no such plan; it may lack memory");
  }
  ~GpuPlan() override { functions_.destroy(handle_); }
  GpuPlan(const GpuPlan&) = delete;
  GpuPlan& operator=(const GpuPlan&) = delete;

  void start() const override {
    const int precision = problem_.is_double ? 1 : 0;
    switch (problem_.kind) {
      case FftProblem::Kind::real_to_complex:
        return check(functions_.to_complex[precision](handle_, in_, out_), "failed");
      case FftProblem::Kind::complex_to_real:
        return check(functions_.to_real[precision](handle_, in_, out_), "failed");
      case FftProblem::Kind::complex_to_complex:
        return check(functions_.complex[precision](handle_, in_, out_, problem_.is_inverse ? gpu_backward : gpu_forward),
                     "failed");
    }
  }
  void wait() const override {
    PHPC_VALIDATE(runtime_.wait(), ErrorKind::device, fmt::format("a transform by {} failed on the device", Vendor::name));
  }

 private:
  static void check(Status status, const char* what) {
    PHPC_VALIDATE(status == success, ErrorKind::device, fmt::format("{} {} (its status is {})", Vendor::name, what, status));
  }

  const GpuFunctions<Vendor>& functions_;
  const typename Vendor::Runtime& runtime_;
  FftProblem problem_;
  void* in_;
  void* out_;
  typename Vendor::Handle handle_{};
};

template <class Vendor>
class GpuLibrary final : public FftLibrary {
 public:
  GpuLibrary(const GpuFunctions<Vendor>& functions, const typename Vendor::Runtime& runtime)
      : functions_(functions), runtime_(runtime) {}

  [[nodiscard]] std::string name() const override { return Vendor::name; }
  [[nodiscard]] std::string version() const override {
    int number = 0;  // 12004 is 12.0.4; hipFFT's is rocFFT's and counts otherwise
    if (functions_.version(&number) != success) {
      return "";
    }
    return number < 1000 ? std::to_string(number) : fmt::format("{}.{}.{}", number / 1000, number % 1000 / 100, number % 100);
  }
  [[nodiscard]] std::unique_ptr<FftLibraryPlan> plan(const FftProblem& problem, void* in, void* out) const override {
    return std::make_unique<GpuPlan<Vendor>>(functions_, runtime_, problem, in, out);
  }
  bool launch() const override { return runtime_.launch(); }

 private:
  GpuFunctions<Vendor> functions_;
  typename Vendor::Runtime runtime_;
};

template <class Vendor>
FftLibrarySearch find() {
  const typename Vendor::Runtime runtime;
  if (!runtime.is_found()) {
    return {nullptr, fmt::format("{} needs {}, which was not found", Vendor::name, Vendor::Runtime::library)};
  }
  const SharedLibrary library(Vendor::files(), Vendor::Runtime::folders());
  GpuFunctions<Vendor> functions;
  if (!library.is_loaded()) {
    return {nullptr, fmt::format("{} was not found ({}, also in {})", Vendor::name, Vendor::files().front(),
                                 Vendor::Runtime::folders().front())};
  }
  if (!functions.load(library)) {
    return {nullptr, fmt::format("{} lacks functions of {}", Vendor::files().front(), Vendor::name)};
  }
  return {std::make_unique<GpuLibrary<Vendor>>(functions, runtime), ""};
}

}  // namespace

FftLibrarySearch find_cufft() {
  return find<Cufft>();
}

FftLibrarySearch find_hipfft() {
  return find<Hipfft>();
}

}  // namespace phpc::bench
