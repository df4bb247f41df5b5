#pragma once

namespace phpc::fft {

/// Whether a pass is a transform of its own, one from or to real numbers, one of several over columns, a convolution, Rader's
/// transform, or several passes at once: of complex numbers, from real ones, to real ones, or a convolution.
enum class PassForm {
  rows,
  rows_from_real,
  rows_to_real,
  columns,
  convolution,
  rader,
  relay,
  relay_from_real,
  relay_to_real,
  relay_convolution
};

}  // namespace phpc::fft
