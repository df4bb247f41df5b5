#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "jobs/fft/problem.hpp"

namespace phpc::jobs {

/// One element of a spectrum.
struct SpectrumPoint {
  double frequency;  ///< in the unit of the rate
  double magnitude;
  double phase;     ///< radians, in (-pi, pi]
  double power_db;  ///< 20 log10 of the magnitude; -inf for 0
};

/// The names that --window takes.
const std::vector<std::string>& window_names();

/// Weights of `length` samples; empty for "none". Periodic windows (a whole period of the cosines, w[0] not
/// repeated at the end), as for spectra: Harris, "On the use of windows for harmonic analysis with the discrete Fourier
/// transform" (1978). Blackman's is that with coefficients 0.42, 0.5, 0.08.
std::vector<double> window_weights(const std::string& name, index_t length);

/// How the transforms of one problem over one axis become spectra.
class SpectrumShape {
 public:
  /// `rate`: samples in a unit of time; `amplitude`: a sinusoid of amplitude A with a whole number of periods gets magnitude A,
  /// else magnitudes are those of the transform. `weight_sum`: of the window over the samples used.
  SpectrumShape(const FftProblem& problem, double rate, bool amplitude, double weight_sum);

  /// Points of each spectrum: n/2 + 1 of real samples, n of complex ones, by ascending frequency (from about -rate/2).
  [[nodiscard]] index_t points() const { return one_sided_ ? length_ / 2 + 1 : length_; }
  [[nodiscard]] bool one_sided() const { return one_sided_; }
  /// Calls use(transform, point) for each point of each transform in `out`, the result of whole blocks whose first transform has
  /// number `first`.
  void each(std::span<const std::byte> out, index_t first, const std::function<void(index_t, const SpectrumPoint&)>& use) const;

 private:
  template <class Real>
  void each_of(std::span<const Complex<Real>> out, index_t first,
               const std::function<void(index_t, const SpectrumPoint&)>& use) const;

  fft::Precision precision_;
  index_t length_;
  index_t stride_;  ///< between the elements of a transform, which is the first axis of a block
  double rate_;
  bool one_sided_;
  bool amplitude_;
  double scale_;
};

}  // namespace phpc::jobs
