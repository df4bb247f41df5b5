#include "jobs/fft/spectrum.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace phpc::jobs {

namespace {

struct CosineWindow {
  std::string name;
  std::array<double, 3> coefficients;  ///< sum over m of (-1)^m c[m] cos(2 pi m i / length)
};

const std::array<CosineWindow, 3> cosine_windows{CosineWindow{"hann", {0.5, 0.5, 0}}, CosineWindow{"hamming", {0.54, 0.46, 0}},
                                                 CosineWindow{"blackman", {0.42, 0.5, 0.08}}};

}  // namespace

const std::vector<std::string>& window_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> list{"none"};
    for (const CosineWindow& window : cosine_windows) {
      list.push_back(window.name);
    }
    return list;
  }();
  return names;
}

std::vector<double> window_weights(const std::string& name, index_t length) {
  std::vector<double> weights;
  for (const CosineWindow& window : cosine_windows) {
    if (window.name != name) {
      continue;
    }
    const auto& c = window.coefficients;
    weights.reserve(static_cast<std::size_t>(length));
    for (index_t i = 0; i < length; ++i) {
      const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(length);
      weights.push_back(c[0] - c[1] * std::cos(angle) + c[2] * std::cos(2 * angle));
    }
  }
  return weights;
}

SpectrumShape::SpectrumShape(const FftProblem& problem, double rate, bool amplitude, double weight_sum)
    : precision_(problem.precision()),
      length_(problem.real_block.front()),
      stride_(problem.out_elements() / problem.out_block.front()),
      rate_(rate),
      one_sided_(problem.kind == fft::Kind::real_to_complex),
      amplitude_(amplitude),
      scale_(amplitude && weight_sum > 0 ? 1 / weight_sum : 1) {}

template <class Real>
void SpectrumShape::each_of(std::span<const Complex<Real>> out, index_t first,
                            const std::function<void(index_t, const SpectrumPoint&)>& use) const {
  const index_t elements = points();
  const auto transforms = static_cast<index_t>(out.size()) / elements;
  const index_t negative = one_sided_ ? 0 : length_ / 2;  // points of negative frequency
  for (index_t transform = 0; transform < transforms; ++transform) {
    const index_t start = transform / stride_ * stride_ * elements + transform % stride_;
    for (index_t point = 0; point < elements; ++point) {
      const index_t frequency = point - negative;
      const index_t k = frequency < 0 ? frequency + length_ : frequency;
      const Complex<Real> value = out[static_cast<std::size_t>(start + k * stride_)];
      const auto re = static_cast<double>(value.re);
      const auto im = static_cast<double>(value.im);
      // The other half of the spectrum of a real sinusoid is not shown.
      const bool has_mirror = one_sided_ && k > 0 && 2 * k < length_;
      const double magnitude = std::hypot(re, im) * scale_ * (amplitude_ && has_mirror ? 2 : 1);
      use(first + transform, {static_cast<double>(frequency) * rate_ / static_cast<double>(length_), magnitude,
                              std::atan2(im, re), 20 * std::log10(magnitude)});
    }
  }
}

void SpectrumShape::each(std::span<const std::byte> out, index_t first,
                         const std::function<void(index_t, const SpectrumPoint&)>& use) const {
  if (precision_ == fft::Precision::f32) {
    each_of<float>({reinterpret_cast<const Complex<float>*>(out.data()), out.size() / sizeof(Complex<float>)}, first, use);
  } else {
    each_of<double>({reinterpret_cast<const Complex<double>*>(out.data()), out.size() / sizeof(Complex<double>)}, first, use);
  }
}

}  // namespace phpc::jobs
