#pragma once
#include <memory>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::bench {

/// FFTW 3, where the system has its library: found when the program runs, never needed to build it or to run it.
template <class Real>
class FftwPeer {
 public:
  FftwPeer();
  ~FftwPeer();
  FftwPeer(const FftwPeer&) = delete;
  FftwPeer& operator=(const FftwPeer&) = delete;

  /// libfftw3f.so.3 (float) or libfftw3.so.3 (double) is there.
  [[nodiscard]] bool is_found() const { return library_ != nullptr; }

  struct Result {
    std::vector<double> seconds;            ///< of each pair of a forward and an inverse transform
    std::vector<Complex<double>> spectrum;  ///< of the first transform
  };
  /// Transforms x there and back, out of place, in one thread, as a batch of `batch` copies; the first pair is not counted.
  /// Planned with FFTW_MEASURE up to 2^20 elements in all, beyond that with FFTW_ESTIMATE.
  [[nodiscard]] Result run(const std::vector<Complex<Real>>& x, index_t batch, int iterations) const;

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace phpc::bench
