#pragma once
#include <vector>

#include "fft/device/line_passes.hpp"

/// Passes of lines whose lengths have no large prime factors.
namespace phpc::fft {

/// Whether a GPU has a kernel that does lines of n smooth elements in one pass: one of their length, or the general one.
template <class Real>
bool does_one_pass(const LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

/// Returns the lengths of the passes of lines of n smooth elements. Of complex numbers, planar ones too, columns of any length go
/// by the general kernel.
template <class Real>
std::vector<index_t> smooth_pass_lengths(const LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n);

/// Whether rows of real numbers beside interleaved complex ones go by the general kernel, as transforms of n complex numbers:
/// those without a kernel of their length.
template <class Real>
bool takes_general_reals(const LinePasses<Real>& lines, index_t n);

/// Adds the passes of these lengths, whose product is n, between two ends. Several need work memory.
template <class Real>
void add_smooth(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n, const std::vector<index_t>& lengths);

/// Adds pass `index` of several. All but the last work on columns and stay where they are, so that they may run in place in work
/// memory; the last reads rows and writes columns, which puts the result into natural order (Bailey, "FFTs in external or
/// hierarchical memory", 1990).
template <class Real>
void add_pass(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t n, const std::vector<index_t>& lengths,
              std::size_t index);

/// Adds the step that makes half spectra of 2m real numbers of the transforms of m complex ones that lie in the output.
template <class Real>
void add_r2c_postprocess(LinePasses<Real>& lines, const LineEnds<Real>& ends, index_t m);

}  // namespace phpc::fft
