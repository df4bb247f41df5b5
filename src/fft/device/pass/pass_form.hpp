#pragma once

namespace phpc::fft {

/// What a pass does with its lines, and so which kernels of fixed length it may take. The fused forms are all passes of a long
/// transform in one launch.
enum class PassForm {
  rows,            ///< whole transforms of lines
  rows_from_real,  ///< the same from real numbers to half spectra
  rows_to_real,    ///< and back
  columns,         ///< one of several passes over a line, or lines side by side
  convolution,     ///< Bluestein's transforms
  convolution_from_real,
  convolution_to_real,
  convolved_rows,  ///< both transforms of a convolution's rows, in place
  fused_four_step,
  fused_four_step_from_real,
  fused_four_step_to_real,
  fused_four_step_convolution,
  fused_last_passes  ///< the last two of three passes over a line
};

}  // namespace phpc::fft
