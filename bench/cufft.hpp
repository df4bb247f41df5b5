#pragma once
#include <dlfcn.h>

#include <initializer_list>
#include <vector>

#include "phpc/core/error.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::bench {

/// cuFFT and the one call of the CUDA run-time library that its users need, by the signatures in NVIDIA's manuals.
struct Cufft {
  using Handle = int;
  int (*create)(Handle*) = nullptr;
  int (*make_many)(Handle, int rank, long long* n, long long* inembed, long long istride, long long idist, long long* onembed,
                   long long ostride, long long odist, int type, long long batch, std::size_t* work) = nullptr;
  int (*execute)(Handle, void* in, void* out, int direction) = nullptr;
  int (*destroy)(Handle) = nullptr;
  int (*synchronize)() = nullptr;

  static constexpr int c2c = 0x29;
  static constexpr int z2z = 0x69;
  static constexpr int r2c = 0x2a;
  static constexpr int d2z = 0x6a;
  static constexpr int c2r = 0x2c;
  static constexpr int z2d = 0x6c;
  static constexpr int forward = -1;
  static constexpr int inverse = 1;

  /// Null where there is none.
  static const Cufft* find() {
    static const Cufft* const found = [] {
      static Cufft library;
      void* const cufft = open({"libcufft.so.12", "libcufft.so.11", "libcufft.so"});
      void* const runtime = open({"libcudart.so.13", "libcudart.so.12", "libcudart.so"});
      const bool complete = cufft != nullptr && runtime != nullptr && get(library.create, cufft, "cufftCreate") &&
                            get(library.make_many, cufft, "cufftMakePlanMany64") && get(library.execute, cufft, "cufftXtExec") &&
                            get(library.destroy, cufft, "cufftDestroy") &&
                            get(library.synchronize, runtime, "cudaDeviceSynchronize");
      return complete ? &library : nullptr;
    }();
    return found;
  }

 private:
  static void* open(std::initializer_list<const char*> names) {
    for (const char* const name : names) {
      if (void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL)) {
        return handle;
      }
    }
    return nullptr;
  }
  template <class Function>
  static bool get(Function& function, void* handle, const char* name) {
    function = reinterpret_cast<Function>(dlsym(handle, name));
    return function != nullptr;
  }
};

/// A plan of cuFFT's, out of place, tightly packed: transforms one after another or, as columns, side by side.
class CufftPlan {
 public:
  CufftPlan(const fft::Descriptor& problem, bool is_f32, bool are_columns = false) : library_(*Cufft::find()) {
    std::vector<long long> lengths(problem.lengths.begin(), problem.lengths.end());
    const int type = problem.kind == fft::Kind::real_to_complex   ? (is_f32 ? Cufft::r2c : Cufft::d2z)
                     : problem.kind == fft::Kind::complex_to_real ? (is_f32 ? Cufft::c2r : Cufft::z2d)
                                                                  : (is_f32 ? Cufft::c2c : Cufft::z2z);
    std::size_t work = 0;
    long long* const embedding = are_columns ? lengths.data() : nullptr;
    const long long stride = are_columns ? problem.batch : 1;
    const bool is_made =
        library_.create(&handle_) == 0 && library_.make_many(handle_, static_cast<int>(lengths.size()), lengths.data(), embedding,
                                                             stride, 1, embedding, stride, 1, type, problem.batch, &work) == 0;
    PHPC_VALIDATE(is_made, ErrorKind::memory, "cuFFT makes no such plan; give it less with PHPC_BENCH_MIB");
  }
  ~CufftPlan() { library_.destroy(handle_); }
  CufftPlan(const CufftPlan&) = delete;
  CufftPlan& operator=(const CufftPlan&) = delete;

  /// `direction` is Cufft::forward or Cufft::inverse.
  void start(void* in, void* out, int direction) const { library_.execute(handle_, in, out, direction); }
  void wait() const { library_.synchronize(); }

 private:
  const Cufft& library_;
  Cufft::Handle handle_ = 0;
};

}  // namespace phpc::bench
