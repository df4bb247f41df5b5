#pragma once
#include <vector>

#include "fft/device/fixed/shapes/column_shapes.hpp"
#include "fft/device/fixed/shapes/convolution_shapes.hpp"
#include "fft/device/fixed/shapes/four_step_shapes.hpp"
#include "fft/device/fixed/shapes/real_shapes.hpp"
#include "fft/device/fixed/shapes/row_shapes.hpp"

/// Look-ups in all tables of shapes.
namespace phpc::fft {

/// Returns the length of the shortest convolution of at least n elements in a table; 0 when none is that long.
template <class Real, class... Shapes>
index_t convolution_length(index_t n, std::size_t scratch, ShapeList<Shapes...> /*list*/) {
  index_t best = 0;
  const auto try_length = [&](index_t length) { best = length >= n && (best == 0 || length < best) ? length : best; };
  ((scratch_bytes_of<Real, Shapes>() <= scratch ? try_length(Shapes::length) : void()), ...);
  return best;
}

// Shapes whose team needs more than `scratch` bytes do not count: the device cannot run them.

/// Returns two lengths of columns of known cost whose product is n, the larger first, as nearly equal as the table allows; none
/// when the table has no such pair.
template <class Real, class... Shapes>
std::vector<index_t> column_pair(index_t n, std::size_t scratch, ShapeList<Shapes...> list) {
  std::vector<index_t> best;
  bool fits = false;
  const auto try_length = [&](index_t length) {
    const index_t other = n % length == 0 ? n / length : 0;
    if (other >= length && (best.empty() || length > best.back()) &&
        with_shape(other, list,
                   [&](auto shape) { fits = shape.share == 0 && scratch_bytes_of<Real, decltype(shape)>() <= scratch; }) &&
        fits) {
      best = {other, length};
    }
  };
  ((Shapes::share == 0 && scratch_bytes_of<Real, Shapes>() <= scratch ? try_length(Shapes::length) : void()), ...);
  return best;
}

/// Returns the radices of the kernel for this form and length; none when there is no such kernel.
template <class Real>
std::vector<int> fixed_radices(PassForm form, index_t length, std::size_t scratch);

/// Whether there is a kernel for both passes of this length in one launch, in this form.
template <class Real>
bool has_fused_four_step(PassForm form, index_t length, std::size_t scratch);

}  // namespace phpc::fft
