#include "fft/math/bluestein_filter.hpp"

#include "fft/host/long_lines/line_transform.hpp"
#include "fft/host/narrow/narrow_line_fft.hpp"
#include "fft/math/long_double_transform.hpp"

namespace phpc::fft {

/// Up to here a transform in narrow packs has less to prepare than four steps in wide ones.
constexpr index_t longest_narrow = 1024;

template <class Real>
std::vector<Complex<double>> bluestein_filter_spectrum(const std::vector<Complex<double>>& chirp, index_t padded,
                                                       const ChirpExtents& part) {
  std::vector<Complex<double>> filter = bluestein_filter(chirp, padded, part);
  if (sizeof(Real) == sizeof(float) && padded <= longest_narrow) {
    const LineProblem problem{.length = padded, .loops = {{1, padded, padded}}};
    const NarrowLineFft<double> transform(problem);
    std::vector<double> scratch(transform.scratch_bytes() / sizeof(double));
    double* const values = &filter.data()->re;
    transform.run(values, values, scratch.data());
    return filter;
  }
  // In f64 an ordinary transform's errors would be a quarter of the result's (relative L2 error 4.2e-16 instead of 3.3e-16 at
  // 1009, 4.0e-16 at 17). They matter less as the length grows, while the wide transform takes 30 ms at the limit.
  constexpr index_t widest = index_t{1} << 17;
  if (sizeof(Real) == sizeof(double) && padded <= widest) {
    return long_double_transform(filter);
  }
  // Long enough for the lanes of every pack.
  const auto transform = HostLineTransform<double>::make(padded, 1, false);
  std::vector<PackValue<double>> shared(static_cast<std::size_t>(transform->shared_values()));
  std::vector<PackValue<double>> own(static_cast<std::size_t>(transform->own_values()));
  double* const values = &filter.data()->re;
  transform->run(Crew{}, {values, values}, {shared.data(), own.data()});
  return filter;
}

template std::vector<Complex<double>> bluestein_filter_spectrum<float>(const std::vector<Complex<double>>& chirp, index_t padded,
                                                                       const ChirpExtents& part);
template std::vector<Complex<double>> bluestein_filter_spectrum<double>(const std::vector<Complex<double>>& chirp, index_t padded,
                                                                        const ChirpExtents& part);

}  // namespace phpc::fft
