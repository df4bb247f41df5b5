#pragma once
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// Whether lines of 2 `length` real numbers whose half spectra take a single stage of this length are read by that stage, as
/// complex numbers, rather than into scratch before it. An H100 took 5 to 14 % less time so of 10 to 26 real numbers in f32; in
/// f64 7 % less of 22 and 26, and up to 7 % more of 10 to 20. (Odd lines of 9, 11 and 13 are always read so: 22 to 28 % less in
/// f32, 15 to 27 % in f64. A stage that writes real numbers straight to memory takes twice the time.)
template <class Real>
bool reads_pairs_in_stage(index_t length);

}  // namespace phpc::fft
