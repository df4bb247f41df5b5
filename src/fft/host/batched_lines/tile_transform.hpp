#pragma once
#include <string>
#include <vector>

#include "fft/host/transforms/transform.hpp"

namespace phpc::fft {

/// Transforms of any length, one in each lane: of smooth lengths by radices, of others as a convolution (chirp.hpp).
template <class Real>
class HostTileTransform {
 public:
  using Value = PackValue<Real>;

  explicit HostTileTransform(index_t length);

  /// Values that each of the two arrays of run() holds.
  [[nodiscard]] index_t values() const { return transform_.length(); }
  [[nodiscard]] std::size_t table_bytes() const;
  [[nodiscard]] std::string describe() const;  ///< see HostLines
  /// The transform by radices; nullptr where there is a convolution.
  [[nodiscard]] const HostTransform<Real>* direct() const { return bluestein_filter_.empty() ? &transform_ : nullptr; }

  /// From `from`, which it writes over, to `to`.
  void run(Value* from, Value* to) const;

 private:
  index_t length_;
  HostTransform<Real> transform_;
  std::vector<Complex<Real>> bluestein_filter_;
  std::vector<Complex<Real>> chirp_;
};

}  // namespace phpc::fft
