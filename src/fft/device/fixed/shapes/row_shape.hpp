#pragma once
#include "fft/device/fixed/shapes/shape.hpp"

namespace phpc::fft {

/// A shape of rows of Length elements: at most Registers registers a thread (0: as many as the compiler takes), Threads that work
/// on one row, Width rows of a team, and the radices of the stages.
template <int Length, int Registers, int Threads, int Width, int... R>
struct Row : Capped<Registers, FixedShape<Threads, Width, 0, R...>> {
  static_assert((R * ... * 1) == Length);
};

/// The shapes of rows, whole transforms that are contiguous in memory: lengths that most users take, and those of smooth lengths
/// from 33 to 20000 which the general kernel did at less than 0.93 of cuFFT's speed on an H200 (305 of 958 in f32, 112 of 764 to
/// 12000 in f64), where a shape of their own takes 5 % less time at least. In f32 those 305 went from 0.86 of cuFFT by the median
/// and 0.60 at least (16807) to 1.01 and 0.77, in f64 108 from 0.89 and 0.65 (625) to 1.01 and 0.89.
///
/// Shapes were tried by a rule, about four of a length, sixteen where these gained little: the fewest stages and one more,
/// radices as nearly equal as can be, the largest first; N / largest threads, or a half or a third of that where a team would be
/// too large; rows side by side up to about 2000 elements (1000 in f64); and registers by the largest radix, in f32 40 to radix
/// 8, 48 to 11, 56 to 13, 64 to 16, 80 above, in f64 64 to radix 5, 80 to 8, 96 to 11, 112 to 13, 128 above.
template <class Real>
struct FixedRows;

}  // namespace phpc::fft
