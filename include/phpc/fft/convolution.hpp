#pragma once
#include <memory>
#include <span>
#include <vector>

#include "phpc/exec/device.hpp"
#include "phpc/fft/array.hpp"
#include "phpc/fft/descriptor.hpp"

namespace phpc::fft {

/// Which part of a convolution of n with m elements along an axis is wanted.
enum class Extent {
  full,   ///< all n + m - 1 elements
  same,   ///< n of them, from (m - 1) / 2 on: the signal's, for a filter centred on itself
  valid,  ///< the n - m + 1 in which every element of the filter meets one of the signal; m <= n
  cyclic  ///< n elements, the signal repeating itself; m <= n
};

/// `batch` signals, one directly after the other, each convolved with the same filter: y[k] = sum_j h[j] x[k - j], along one, two
/// or three axes. All arrays are dense, in C order.
struct ConvolutionDescriptor {
  std::vector<index_t> lengths{};         ///< of a signal
  std::vector<index_t> filter_lengths{};  ///< of the filter, as many axes
  index_t batch = 1;
  Precision precision = Precision::f32;
  Elements elements = Elements::real;  ///< real or complex: of signals, filter and results
  Extent extent = Extent::full;

  /// Elements of a result along each axis.
  [[nodiscard]] std::vector<index_t> out_lengths() const;
};

/// Convolution through transforms of signals padded with zeros to a good length, made ready for one device.
class Convolution {
 public:
  /// `filter` lies in host memory. Throws Error(usage) for sizes that do not fit together and forms that do not agree, and what
  /// Plan throws.
  Convolution(const ConvolutionDescriptor& descriptor, exec::Device device, Array<const float> filter);
  Convolution(const ConvolutionDescriptor& descriptor, exec::Device device, Array<const double> filter);
  Convolution(Convolution&&) noexcept;
  Convolution& operator=(Convolution&&) noexcept;
  ~Convolution();

  /// Convolves the batch and waits for it. `in` and `out` are memory of the device and do not overlap. Threads may share it; they
  /// take turns.
  void execute(Array<const float> in, Array<float> out) const;
  void execute(Array<const double> in, Array<double> out) const;

 private:
  class Impl;
  template <class Real>
  class TypedImpl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace phpc::fft
