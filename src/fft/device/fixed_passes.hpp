#pragma once
#include <vector>

#include "fft/device/general/rule/rule.hpp"
#include "fft/device/line_passes.hpp"

/// Lines of interleaved complex numbers, or of pairs of real ones, that a kernel made for their length does in one launch. Where
/// there is none for the lines, these add nothing and return false.
namespace phpc::fft {

/// Adds a fused four-step kernel, for lengths that have one: of n elements, or of n pairs of real numbers.
template <class Real>
bool add_fused_four_step(LinePasses<Real>& lines, const LineEnds<Real>& ends, PassForm form, index_t n);

/// Adds a pass over columns and one launch for all that is left of a longer line.
template <class Real>
bool add_fused_last_passes(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

/// Adds Bluestein's transform of rows in one kernel of the length that it needs.
template <class Real>
bool add_fused_bluestein(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

/// Adds Bluestein's transform by a fused four-step kernel, the shortest that is long enough and less than twice as long as
/// needed.
template <class Real>
bool add_fused_four_step_bluestein(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

/// A convolution of a kernel of fixed length, and what an element of it takes, in the unit of the general kernel's rule.
struct FixedConvolution {
  index_t length = 0;
  double cost = 0;
};
/// Returns the shortest of at least `least` elements; of length 0 where there is none.
template <class Real>
FixedConvolution fixed_convolution(index_t least, std::size_t scratch);

/// Returns the rows that have kernels of their length in the middle pass of a long convolution of such lines, and what those
/// take.
template <class Real>
std::vector<ConvolvedRow> fixed_convolved_rows(const LinePasses<Real>& lines);
/// Whether rows of k elements do.
template <class Real>
bool has_fixed_convolved_rows(const LinePasses<Real>& lines, index_t k);

/// Returns what the kernels of fixed length take for Bluestein's transform of rows, in copies of its memory.
template <class Real>
double cost_of_made_kernels(const LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

}  // namespace phpc::fft
