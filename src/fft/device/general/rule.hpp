#pragma once
#include <cstddef>
#include <vector>

#include "phpc/core/types.hpp"

namespace phpc::fft {

/// How the general kernel does rows of one length.
struct GeneralShape {
  std::vector<int> radices{};  ///< of its stages, the first one first; none for a length of 1
  /// Of a box, several axes at a time: their lengths, the last axis contiguous, and which of them each stage is along.
  std::vector<index_t> box{};
  std::vector<std::size_t> axes{};
  int width = 1;              ///< transforms of a team
  int team_size = 0;          ///< 0: the length has no such radices
  bool is_in_order = false;   ///< memory is read and written in order, without butterflies
  bool has_pairs = false;     ///< some of it by pairs of elements k and length - k
  bool has_elements = false;  ///< all of it one by one
};

/// The rule, found by trying shapes of 77 lengths on an H200: the fewest stages with
/// composite radices, the largest first, a thread for each of its butterflies, and tiles of about 11 KiB cut for full warps.
/// `most_width`: transforms of a team at most.
template <class Real>
GeneralShape general_shape(index_t length, index_t most_width);

/// The rule for boxes: each axis has its radices, and the first axis goes first and last, so that neighbours in memory are read
/// and written together. No team where there are too many stages.
template <class Real>
GeneralShape general_box_shape(const std::vector<index_t>& box, index_t most_width);

/// The radices of transforms that lie side by side, the first stage's first; none for a length that has no such.
template <class Real>
std::vector<int> column_radices(index_t length);

/// How transforms lie side by side: so many of them, in rows of memory `step` elements apart, or a multiple of that.
struct ColumnPlaces {
  index_t neighbours = 0;
  index_t step = 0;
};

/// A shape for those, and what a pass of it takes, in copies of its memory.
struct ColumnShape {
  GeneralShape shape{};
  double cost = 0;
};

/// The rule for them: as wide as whole lines of memory, as far as several teams find room in the scratch of a multiprocessor.
template <class Real>
ColumnShape column_shape(index_t length, const ColumnPlaces& places, std::size_t scratch);

/// The lengths of passes, and what they take together.
struct PassLengths {
  std::vector<index_t> lengths{};
  double cost = 0;
};

/// The passes of a transform of n elements, two or three, that together take the least; none where there are no such. `fixed`:
/// lengths that have kernels of their own.
template <class Real>
PassLengths general_pass_lengths(index_t n, std::size_t scratch, const std::vector<index_t>& fixed);

}  // namespace phpc::fft
