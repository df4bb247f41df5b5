#pragma once

namespace phpc::fft {

/// What the general kernel knows of its Ends at compile time; each type of ends has one of these as `traits`.
struct EndsTraits {
  bool has_tiles = false;        ///< a Tile in scratch behind the elements, which one thread of the team sets
  bool has_pairs = false;        ///< rows of real numbers on one side, which may go through scratch by pairs of elements
  bool has_hooks = false;        ///< all elements go through scratch, with hooks on the way
  bool has_factors = false;      ///< the first stage reads and the last one writes by the numbers of elements, for factors
  bool has_halves = false;       ///< one side may go through scratch in order: real and imaginary parts are of two lines
  bool has_convolution = false;  ///< a second transform follows, with the filter's spectrum in between
};

}  // namespace phpc::fft
