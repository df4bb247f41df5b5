#pragma once
#include "fft/device/line_passes.hpp"

/// Lines of contiguous real numbers on a GPU, in passes that read and write no more memory than real numbers take: see
/// RealColumns and ConjugatePairTiles. Where a problem is not of such lines, these add nothing and return false.
namespace phpc::fft {

/// Adds the transform of short odd lines by its definition.
template <class Real>
bool add_short_reals(LinePasses<Real>& lines, const LineEnds<Real>& ends);

/// Adds, for rows of a length with large prime factors, the convolution by a kernel of fixed length where that takes less than
/// all other ways.
template <class Real>
bool add_fixed_real_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends);

/// Adds the passes of smooth lengths, and those of lengths with large primes where they take less than others.
template <class Real>
bool add_real_passes(LinePasses<Real>& lines, const LineEnds<Real>& ends);

/// Adds, for odd lengths with large prime factors, a convolution that is only as long as the elements and the results that there
/// are need, where no other way takes less.
template <class Real>
bool add_real_convolution(LinePasses<Real>& lines, const LineEnds<Real>& ends);

}  // namespace phpc::fft
