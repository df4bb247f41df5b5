#pragma once
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::bench {

/// A batch of transforms out of place, as other libraries are asked for it: without scale, and packed tightly.
struct FftProblem {
  enum class Kind { complex_to_complex, real_to_complex, complex_to_real };
  std::vector<index_t> lengths;
  index_t batch = 1;
  Kind kind = Kind::complex_to_complex;
  bool is_double = false;
  bool is_inverse = false;   ///< the sign of the exponent of complex transforms
  bool are_columns = false;  ///< elements of a transform lie `batch` apart, the transforms side by side; else one after another
};

/// A transform by a library, of two arrays that were named when the plan was made.
class FftLibraryPlan {
 public:
  virtual ~FftLibraryPlan() = default;
  /// Starts the transform; on a GPU it may still run. Throws Error.
  virtual void start() const = 0;
  /// Waits for all that was started on the device. Throws Error.
  virtual void wait() const = 0;
};

/// A library of Fourier transforms that is found when the program runs, never needed to build it or to run it.
class FftLibrary {
 public:
  virtual ~FftLibrary() = default;
  /// "FFTW", "cuFFT" or "hipFFT".
  [[nodiscard]] virtual std::string name() const = 0;
  /// "3.3.10", for instance; "" where the library does not tell.
  [[nodiscard]] virtual std::string version() const = 0;
  /// A plan for arrays in the memory of the library's device; of GPUs, that which `in` lies on. Planning may write into both
  /// arrays. Throws Error.
  [[nodiscard]] virtual std::unique_ptr<FftLibraryPlan> plan(const FftProblem& problem, void* in, void* out) const = 0;
  /// Does the least that a call costs, and waits for it: an empty kernel by the vendor's own launch on the device of the plan
  /// that was made last, a transform of one element on the host. False where the library has no such thing.
  virtual bool launch() const = 0;
};

/// A library, or why there is none: one line without a full stop.
struct FftLibrarySearch {
  std::unique_ptr<FftLibrary> library;
  std::string why_none;
};

/// FFTW 3 of one precision: libfftw3f.so.3 or libfftw3.so.3, with `threads` threads where its library of threads is there too.
/// Planned with FFTW_MEASURE up to 2^20 elements in all, beyond that with FFTW_ESTIMATE, or always with FFTW_MEASURE.
struct FftwUse {
  bool is_double = false;
  int threads = 1;
  bool measures_always = false;
};
FftLibrarySearch find_fftw(const FftwUse& use);
/// cuFFT and NVIDIA's driver.
FftLibrarySearch find_cufft();
/// hipFFT, which is rocFFT under the names of cuFFT, and AMD's run-time library.
FftLibrarySearch find_hipfft();

/// The library that stands beside ours on a kind of device, by the kind's name: cuFFT on "nvidia", hipFFT on "amd", FFTW with one
/// thread on all others, which are processors.
FftLibrarySearch find_fft_library(std::string_view device_kind, bool is_double);

}  // namespace phpc::bench
