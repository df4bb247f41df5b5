#pragma once
#include "fft/device/general/stages/stage.hpp"
#include "phpc/core/types.hpp"

namespace phpc::fft {

/// What a convolution needs beside its transforms.
template <class Real>
struct ConvolutionTables {
  /// By Bluestein's algorithm (chirp.hpp), else nullptr: the chirp, for ConvolvedTiles of the elements that are loaded, in their
  /// order, and then of those stored.
  const Complex<Real>* chirp = nullptr;
  const Complex<Real>* spectrum = nullptr;  ///< of the filter, over its length
  /// Of FactorTiles. Not 0: each transform has a spectrum of its own, so many elements behind that of the one before in the order
  /// of first_twiddle, and what is stored is the convolution with the parts of its numbers traded.
  unsigned spectrum_step = 0;
  bool is_rader = false;                     ///< element 0 takes a way of its own (rader.hpp)
  GeneralStage back[most_general_stages]{};  ///< of the second transform
};

}  // namespace phpc::fft
