#include "fft/host/batched_lines/tile_transform.hpp"

#include <algorithm>

#include "fft/lines/describe.hpp"
#include "fft/math/bluestein_filter.hpp"
#include "fft/math/chirp.hpp"
#include "fft/math/factors.hpp"

namespace phpc::fft {

namespace {

template <class Real>
std::vector<Complex<Real>> rounded(const std::vector<Complex<double>>& values) {
  std::vector<Complex<Real>> result;
  result.reserve(values.size());
  for (const Complex<double> value : values) {
    result.push_back({static_cast<Real>(value.re), static_cast<Real>(value.im)});
  }
  return result;
}

}  // namespace

template <class Real>
HostTileTransform<Real>::HostTileTransform(index_t length)
    : length_(length), transform_(is_smooth(length) ? length : padded_length(2 * length - 1)) {
  if (!is_smooth(length)) {
    const std::vector<Complex<double>> chirp_values = chirp(length);
    bluestein_filter_ = rounded<Real>(bluestein_filter_spectrum<Real>(chirp_values, transform_.length()));
    chirp_ = rounded<Real>(chirp_values);
  }
}

template <class Real>
std::size_t HostTileTransform<Real>::table_bytes() const {
  return transform_.table_bytes() + (bluestein_filter_.size() + chirp_.size()) * sizeof(Complex<Real>);
}

template <class Real>
std::string HostTileTransform<Real>::describe() const {
  const index_t length = transform_.length();
  const std::string radices = radix_text(host_radices(length).value());
  return bluestein_filter_.empty() ? radices : "a convolution of " + std::to_string(length) + " (" + radices + ")";
}

template <class Real>
void HostTileTransform<Real>::run(Value* from, Value* to) const {
  if (bluestein_filter_.empty()) {
    transform_.run(from, to, from);
    return;
  }
  const auto n = static_cast<std::size_t>(length_);
  for (std::size_t j = 0; j < n; ++j) {
    from[j] = from[j] * chirp_[j];
  }
  std::fill(from + n, from + bluestein_filter_.size(), Value{});
  transform_.run(from, to, from);
  // What comes back is swapped, as for any inverse transform.
  for (std::size_t k = 0; k < bluestein_filter_.size(); ++k) {
    const Value product = to[k] * bluestein_filter_[k];
    from[k] = {product.im, product.re};
  }
  transform_.run(from, to, from);
  for (std::size_t k = 0; k < n; ++k) {
    to[k] = Value{to[k].im, to[k].re} * chirp_[k];
  }
}

template class HostTileTransform<float>;
template class HostTileTransform<double>;

}  // namespace phpc::fft
