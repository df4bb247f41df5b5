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
  fused_four_step,
  fused_four_step_from_real,
  fused_four_step_to_real,
  fused_four_step_convolution
};

}  // namespace phpc::fft
